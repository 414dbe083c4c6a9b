package dev.pinion.core.language.reference;

import dev.pinion.core.document.DocumentValue;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The kinds of task of the language, each with the key that identifies it. */
public enum TaskKind {
  CALL("call"),
  DO("do"),
  EMIT("emit"),
  FOR("for"),
  FORK("fork"),
  LISTEN("listen"),
  RAISE("raise"),
  RUN("run"),
  SET("set"),
  SWITCH("switch"),
  TRY("try"),
  WAIT("wait");

  /** The keys that identify kinds, for messages. */
  public static final List<String> NAMES = Stream.of(values()).map(TaskKind::key).toList();

  private static final List<String> COMMON_KEYS =
      List.of("if", "input", "output", "export", "timeout", "then", "metadata");

  private static final List<String> ALL_KEYS =
      Stream.of(values()).flatMap(kind -> kind.keys().stream()).distinct().toList();

  private final String key;

  TaskKind(String key) {
    this.key = key;
  }

  /** The key that identifies this kind. */
  public String key() {
    return key;
  }

  /** Every key that a task of this kind may have. */
  public List<String> keys() {
    List<String> keys = new ArrayList<>();
    keys.add(key);
    keys.addAll(
        switch (this) {
          case CALL -> List.of("with");
          case FOR -> List.of("while", "do");
          case LISTEN -> List.of("foreach");
          case TRY -> List.of("catch");
          case DO, EMIT, FORK, RAISE, RUN, SET, SWITCH, WAIT -> List.of();
        });
    keys.addAll(COMMON_KEYS);
    return keys;
  }

  /** The kinds that a task names: one in a valid task. */
  public static Set<TaskKind> of(DocumentValue task) {
    Set<TaskKind> kinds = EnumSet.noneOf(TaskKind.class);
    for (DocumentValue member : task.members()) {
      for (TaskKind kind : values()) {
        if (kind.key.equals(member.name())) {
          kinds.add(kind);
        }
      }
    }
    if (kinds.contains(FOR)) {
      kinds.remove(DO);
    }
    return kinds;
  }

  /** Every key of every kind. */
  public static List<String> allKeys() {
    return ALL_KEYS;
  }
}
