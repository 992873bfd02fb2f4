import CProcessShim

package enum Disk {
  /// Waits until the files beside and below a folder are on its disk, as far as the system tells: one call for many
  /// files, since syncing each would take longer than making it.
  package static func wait(for folder: String) { hb_sync_file_system(folder.isEmpty ? "." : folder) }
}
