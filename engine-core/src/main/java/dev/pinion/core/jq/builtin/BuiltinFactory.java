package dev.pinion.core.jq.builtin;

import dev.pinion.core.jq.code.Code;

/** Makes code that calls a function. */
@FunctionalInterface
public interface BuiltinFactory {
  /** The call with the code of its arguments. */
  Code create(Code[] arguments);
}
