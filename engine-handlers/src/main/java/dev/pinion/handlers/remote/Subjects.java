package dev.pinion.handlers.remote;

import java.util.UUID;

/**
 * Where frames go.
 *
 * @param prefix what all subjects begin with; whoever shares it works together
 */
record Subjects(String prefix) {
  /** All hosts of a kind are one queue group: one of them gets each frame. */
  static final String GROUP = "hosts";

  private static final String FORM = "[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*";

  Subjects {
    if (!prefix.matches(FORM)) {
      throw new IllegalArgumentException(
          "expected a prefix of subjects such as pinion.handlers, found \"" + prefix + "\"");
    }
  }

  String kind(String kind) {
    return prefix + ".kind." + kind;
  }

  /** Where messages of a kind are that a server keeps. */
  String stored(String kind) {
    return prefix + ".stored." + kind;
  }

  /** The name of the stream that keeps them. */
  String stream() {
    return prefix.replace('.', '_');
  }

  String host(UUID host) {
    return prefix + ".host." + host;
  }

  String requester(UUID requester) {
    return prefix + ".requester." + requester;
  }

  String beats() {
    return prefix + ".beats";
  }
}
