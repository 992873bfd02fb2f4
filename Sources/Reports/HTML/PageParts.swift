/// Files of the report's page that other pages of heicbench share.
package enum PageParts {
  /// Colours, type, tables, and the stage of the viewer.
  package static let style = PackageResources.report_css
  /// Pan, zoom and the divider of a stage.
  package static let stage = PackageResources.stage_js
}
