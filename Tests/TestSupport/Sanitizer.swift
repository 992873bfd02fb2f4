import Foundation

/// Whether the tests run under a sanitizer, which reserves more address space than a limit would allow.
package enum Sanitizer {
  package static let isPresent = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
}
