package dev.pinion.core.program;

import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.ProgramRun;
import java.util.LinkedHashMap;
import java.util.Map;

/** Output of a task that ran a program (DSL reference, "Process Result"). */
final class ProgramResult {
  private static final int MAX_WORDS_CHARS = 500;

  private ProgramResult() {}

  /** The output that a task asks for. */
  static Payload output(ProgramRun.Returns returns, int code, String out, String err) {
    return switch (returns) {
      case STDOUT -> Payload.of(out);
      case STDERR -> Payload.of(err);
      case CODE -> Payload.of(code);
      case ALL -> all(code, out, err);
      case NONE -> Payload.NULL;
    };
  }

  private static Payload all(int code, String out, String err) {
    Map<String, Payload> members = new LinkedHashMap<>();
    members.put("code", Payload.of(code));
    members.put("stdout", Payload.of(out));
    members.put("stderr", Payload.of(err));
    return Payload.object(members);
  }

  /**
   * The end of what a failed program wrote to its standard error, for a message, unless it repeats
   * a secret of the run.
   */
  static String lastWords(ProgramRun run, String err) {
    return run.showsSecret(err)
        ? " and a standard error that repeats a secret of the run"
        : lastWords(err);
  }

  /** The end of a standard error, for a message. */
  static String lastWords(String err) {
    String text = err.strip();
    if (text.isEmpty()) {
      return "";
    }
    int from = text.length() - MAX_WORDS_CHARS;
    if (from <= 0) {
      return ": " + text;
    }
    boolean splits = Character.isLowSurrogate(text.charAt(from));
    return ": …" + text.substring(splits ? from + 1 : from);
  }
}
