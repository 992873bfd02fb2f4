// Nothing to call: this target only defines a symbol for the linker.
