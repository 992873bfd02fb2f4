import CProcessShim

/// The disk behind files.
package enum Disk {
  /// Waits until what was written beside and below a folder is on its disk, as far as the system tells: once for many
  /// files, where waiting for each takes longer than making it.
  package static func wait(for folder: String) { hb_sync_file_system(folder.isEmpty ? "." : folder) }
}
