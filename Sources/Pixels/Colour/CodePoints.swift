/// What samples mean as colours, by the code points of ITU-T H.273. The matrix and the range of coded samples are not
/// here: they are gone once there is RGB.
package struct CodePoints: Sendable, Hashable {
  /// ColourPrimaries.
  package var primaries: Int
  /// TransferCharacteristics.
  package var transfer: Int

  /// BT.709 primaries with sRGB's curve.
  package static let sRGB = CodePoints(primaries: 1, transfer: 13)

  /// Names primaries and a transfer function.
  package init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }
}
