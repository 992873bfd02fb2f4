/// Colours of samples by code points of ITU-T H.273. Matrix and range no longer apply once decoded to RGB.
package struct CodePoints: Sendable, Hashable {
  /// ColourPrimaries.
  package var primaries: Int
  /// TransferCharacteristics.
  package var transfer: Int

  /// BT.709 primaries with sRGB's curve.
  package static let sRGB = CodePoints(primaries: 1, transfer: 13)

  package init(primaries: Int, transfer: Int) {
    self.primaries = primaries
    self.transfer = transfer
  }
}
