import Testing

@testable import Workers

struct CurrentMachineTests {
  /// A slice may limit all of its services, which have no limits of their own.
  @Test func theLeastQuotaOfAllControlGroupsHolds() {
    func quota(_ limits: [String: String]) -> Double? {
      CurrentMachine.leastQuota(of: "/a.slice/b.service") { limits[$0] }
    }
    #expect(quota(["/a.slice/": "150000 100000", "/a.slice/b.service/": "max 100000"]) == 1.5)
    #expect(quota(["/a.slice/": "50000 100000", "/a.slice/b.service/": "200000 100000"]) == 0.5)
    #expect(quota(["/": "max 100000"]) == nil && quota([:]) == nil)
    #expect(CurrentMachine.leastQuota(of: "/") { $0 == "/" ? "100000 100000" : nil } == 1)
  }
}
