import Model
import Testing

@testable import Store

struct MergedManifestTests {
  @Test(
    arguments: [
      ("1/3", "2/3", "1,2/3"),
      ("1,2/3", "3/3", nil),
      ("2/3", "2/3", "2/3"),
      ("1/2", "1/4", "1/2, 1/4"),
      ("x", "1/2", "x, 1/2"),
      // Whatever comes between the parts of a division.
      ("1/2, 1/3", "2/3", "1/2, 1,2/3"), ("1/2, 1/3", "2/2", nil), ("x, 1/2", "2/2", nil),
      (nil, "1/2", nil), ("1/1", "1/1", nil), ("1/1", "2/3", nil),
    ] as [(String?, String?, String?)])
  func joinsShards(_ a: String?, _ b: String?, _ expected: String?) {
    #expect(MergedManifest.mergeShards(a, b) == expected)
  }

  @Test func staysItselfWhenAPartIsMergedAgain() throws {
    let a = StoreFixture.manifest(qualities: [100, 300], metrics: ["ssim"], host: "b", shard: "1/3")
    var b = StoreFixture.manifest(
      variants: [StoreFixture.heic], qualities: [200], repeats: 4, host: "a", shard: "3/3")
    b.passedOver = ["hidden": 9, "unreadable": 1]
    let merged = try MergedManifest.merge(a, b)
    #expect(try MergedManifest.merge(merged, b) == merged)
    #expect(try MergedManifest.merge(merged, a) == merged)
    #expect(merged.qualities.map(\.thousandths) == [100, 200, 300])
    #expect(merged.passedOver == ["hidden": 9, "unreadable": 1])
    #expect(merged.machine.host == "b, a" && merged.shard == "1,3/3")
    #expect(merged.metrics.map(\.id) == ["ssim", "psnr-y"])
  }

  /// Sweeps of two folders skip different files, and merging either once more changes nothing.
  @Test func addsUpWhatSweepsOfOtherFoldersSkipped() throws {
    func sweep(_ root: String, _ hidden: Int) -> RunManifest {
      var (manifest, unread) = (StoreFixture.manifest(), UnreadFormat("TIFF"))
      for number in 0..<hidden { unread.add("\(root)\(number).tif", bytes: 10) }
      (manifest.roots, manifest.passedOver, manifest.unread) = ([root], ["hidden": hidden], [unread])
      return manifest
    }
    let (a, b) = (sweep("a", 2), sweep("b", 3))
    let merged = try MergedManifest.merge(a, b)
    #expect(merged.passedOver == ["hidden": 5])
    let unread = try #require(merged.unread?.first)
    #expect(unread.files == 5 && unread.bytes == 50 && unread.names.count == 5 && merged.unread?.count == 1)
    #expect(try MergedManifest.merge(merged, b) == merged)
    #expect(try MergedManifest.merge(merged, a) == merged)
    // The same folder, as another host may name it.
    #expect(try MergedManifest.merge(sweep("a", 2), sweep("./a/", 2)).passedOver == ["hidden": 2])
  }

  @Test("A stranger's list may have more names than heicbench keeps")
  func joinsLongLists() throws {
    let lists = (0..<2).map { number in
      var (manifest, unread) = (StoreFixture.manifest(), UnreadFormat("TIFF"))
      (unread.files, unread.names) = (150, (0..<150).map { "\(number)-\($0).tif" })
      (manifest.roots, manifest.unread) = (["\(number)"], [unread])
      return manifest
    }
    let unread = try #require(try MergedManifest.merge(lists[0], lists[1]).unread?.first)
    #expect(unread.files == 300 && unread.names.count == 150)
  }

  @Test func keepsTheBuildsOfBoth() throws {
    let a = StoreFixture.manifest()
    var b = a
    b.builds = [LibraryBuild(name: "new", folder: "/opt/new")]
    #expect(try MergedManifest.merge(a, b).builds == b.builds)
    #expect(try MergedManifest.merge(b, b).builds == b.builds)
    #expect(try MergedManifest.merge(a, a).builds == nil)
  }

  @Test func refusesOtherPreparations() {
    var other = StoreFixture.manifest()
    other.preparation.downscale = 2
    #expect(throws: MergedManifest.Refusal.self) { try MergedManifest.merge(StoreFixture.manifest(), other) }
  }
}
