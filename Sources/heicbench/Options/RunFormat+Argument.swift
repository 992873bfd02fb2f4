public import ArgumentParser
public import Reports

extension RunFormat: ExpressibleByArgument {}
