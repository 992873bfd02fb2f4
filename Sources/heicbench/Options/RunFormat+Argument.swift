import ArgumentParser
package import Reports

extension RunFormat: ExpressibleByArgument {}
