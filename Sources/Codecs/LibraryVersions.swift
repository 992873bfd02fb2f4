public import BenchModel
import CLCMS
import CPNG

/// The versions of the libraries that read sources and convert colours, which belong to no codec.
public enum LibraryVersions {
  /// libpng and Little CMS, as they report themselves at run time.
  public static var readers: [LibraryVersion] {
    [
      LibraryVersion(name: "libpng", version: libpng),
      LibraryVersion(name: "Little CMS", version: littleCMS),
    ]
  }

  /// 2140 stands for 2.14, 2161 for 2.16.1.
  private static var littleCMS: String {
    let number = cmsGetEncodedCMMversion()
    let patch = number % 10
    return "\(number / 1000).\(number % 1000 / 10)" + (patch == 0 ? "" : ".\(patch)")
  }

  /// 10639 stands for 1.6.39.
  private static var libpng: String {
    let number = png_access_version_number()
    return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }
}
