extension MetricTraits {
  /// The metrics that have a column in every measurements.csv, in column order.
  package static let standard = [psnrLuma, psnrColour, ssim, multiScaleSSIM, ssimulacra2]

  package static let psnrLuma = MetricTraits(
    id: "psnr-y", column: "psnr_y_db", title: "PSNR-Y", unit: "dB", decimals: 3,
    scale: Scale(targets: [30, 35, 40, 45], headline: 35, band: 30...45, lowest: 0, highest: 100))

  /// PSNR over red, green and blue together.
  package static let psnrColour = MetricTraits(
    id: "psnr-rgb", column: "psnr_rgb_db", title: "PSNR-RGB", unit: "dB", decimals: 3,
    scale: Scale(targets: [30, 33, 36, 40], headline: 33, band: 30...40, lowest: 0, highest: 100))

  package static let ssim = MetricTraits(
    id: "ssim", column: "ssim", title: "SSIM", curveScale: .decibelsBelowOne, decimals: 5, minimumSide: 11,
    scale: Scale(targets: [0.9, 0.95, 0.98, 0.99], headline: 0.95, band: 0.9...0.99, lowest: -1, highest: 1))

  /// SSIM over five scales.
  package static let multiScaleSSIM = MetricTraits(
    id: "ms-ssim", column: "ms_ssim", title: "MS-SSIM", curveScale: .decibelsBelowOne, decimals: 5,
    minimumSide: 176,
    scale: Scale(
      targets: [0.95, 0.98, 0.99, 0.995], headline: 0.98, band: 0.95...0.995, lowest: 0, highest: 1))

  package static let ssimulacra2 = MetricTraits(
    id: "ssimulacra2", column: "ssimulacra2", title: "SSIMULACRA2", decimals: 2, minimumSide: 8,
    scale: Scale(targets: [50, 70, 80, 90], headline: 70, band: 50...90, highest: 100))
}
