import Foundation

/// The part of JSON Schema (draft 2020-12) that `docs/schema.json` uses, which is enough to validate documents.
package struct JSONSchema {
  private let root: [String: Any]

  /// The published schema, or one of its definitions.
  package init(of definition: String? = nil) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/schema.json")
    var root = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    if let definition { root["$ref"] = "#/$defs/\(definition)" }
    self.root = root
  }

  /// The faults of a document, each with its place; empty for a valid one.
  package func problems(of document: Any) -> [String] { problems(document, root, "$") }

  private func problems(_ value: Any, _ schema: [String: Any], _ place: String) -> [String] {
    if let reference = schema["$ref"] as? String {
      let name = reference.split(separator: "/").last.map(String.init) ?? ""
      guard let target = (root["$defs"] as? [String: Any])?[name] as? [String: Any] else {
        return ["\(place): no definition \(name)"]
      }
      return problems(value, target, place)
    }
    var found: [String] = []
    let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] } ?? []
    if !types.isEmpty, !types.contains(where: { Self.matches(value, $0) }) {
      found.append("\(place): \(value) is no \(types.joined(separator: " or "))")
    }
    if let allowed = schema["enum"] as? [Any], !allowed.contains(where: { Self.areEqual($0, value) }) {
      found.append("\(place): \(value) is not allowed")
    }
    if let constant = schema["const"], !Self.areEqual(constant, value) {
      found.append("\(place): \(value) is not \(constant)")
    }
    if let object = value as? [String: Any] { found += members(object, schema, place) }
    if let list = value as? [Any], let item = schema["items"] as? [String: Any] {
      for (index, element) in list.enumerated() { found += problems(element, item, "\(place)[\(index)]") }
    }
    return found
  }

  private func members(_ object: [String: Any], _ schema: [String: Any], _ place: String) -> [String] {
    let properties = schema["properties"] as? [String: Any] ?? [:]
    let required = schema["required"] as? [String] ?? []
    var found = required.filter { object[$0] == nil }.map { "\(place): \($0) is missing" }
    for (key, value) in object {
      if let property = properties[key] as? [String: Any] {
        found += problems(value, property, "\(place).\(key)")
      } else if let rest = schema["additionalProperties"] as? [String: Any] {
        found += problems(value, rest, "\(place).\(key)")
      } else if schema["additionalProperties"] as? Bool == false {
        found.append("\(place): \(key) is unknown")
      }
    }
    return found
  }

  private static func matches(_ value: Any, _ type: String) -> Bool {
    switch type {
    case "null": value is NSNull
    case "string": value is String
    case "array": value is [Any]
    case "object": value is [String: Any]
    case "boolean": isBoolean(value)
    case "integer": !isBoolean(value) && (value as? Double).map { $0.rounded() == $0 } ?? false
    case "number": !isBoolean(value) && value is Double
    default: false
    }
  }

  /// Foundation distinguishes truth values from numbers only by their C type.
  private static func isBoolean(_ value: Any) -> Bool {
    guard let number = value as? NSNumber else { return false }
    return String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
  }

  private static func areEqual(_ a: Any, _ b: Any) -> Bool {
    (a is NSNull && b is NSNull) || (a as? NSObject) == (b as? NSObject)
      || (a as? String).map { $0 == b as? String } ?? (a as? Double).map { $0 == b as? Double } ?? false
  }
}
