package dev.pinion.handlers.plan;

import dev.pinion.handlers.api.CommitPoint;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.EffectClass;
import dev.pinion.handlers.api.Slot;
import java.util.List;
import java.util.Optional;

/**
 * The reason why two steps of a chain cannot be arranged freely.
 *
 * @param earlier the step that comes first in the given order
 * @param later the other one
 * @param kind kind of the conflict
 * @param slot slot of the conflict, or the end of a sentence about it
 */
public record Conflict(Step earlier, Step later, ConflictKind kind, String slot) {
  /** Kinds of conflict between two steps; the gravest first. */
  public enum ConflictKind {
    /** Both write the same: only one after the other. */
    WRITES_TWICE("both write"),
    /** The later one reads what the earlier one writes: only one after the other. */
    READS_WRITTEN("reads what the other writes:"),
    /** The later one commits what the earlier one prepares: only one after the other. */
    COMMITS("commits what the other prepares"),
    /** The earlier one may stop the message before the later one has its effect. */
    EFFECT_AFTER_STOP("has an effect, and the other may stop the message"),
    /** The later one has an effect that stays: nothing comes after it. */
    COMES_LAST("has an effect that stays, so it comes last"),
    /** The later one writes what the earlier one reads: in parallel, or in this order. */
    WRITES_READ("writes what the other reads:"),
    /** The later one may stop the message, the earlier one has an effect or may stop it too. */
    STOPS_LATER("may stop the message, not before the other has run");

    private final String words;

    ConflictKind(String words) {
      this.words = words;
    }

    /** Whether parallel execution of the two would differ. */
    public boolean separates() {
      return compareTo(COMES_LAST) < 0;
    }

    /** Whether the conflict concerns changes of the message, or the cooperation of the two. */
    boolean changesTheMessage() {
      return compareTo(COMMITS) <= 0;
    }
  }

  /** The conflict of two steps of a chain, the gravest if there are several. */
  static Optional<Conflict> between(Step earlier, Step later) {
    Declaration first = earlier.declaration();
    Declaration second = later.declaration();
    Optional<String> twice = overlap(first.writes(), second.writes());
    if (twice.isPresent()) {
      return of(earlier, later, ConflictKind.WRITES_TWICE, twice.get());
    }
    Optional<String> written = overlap(first.writes(), second.reads());
    if (written.isPresent()) {
      return of(earlier, later, ConflictKind.READS_WRITTEN, written.get());
    }
    if (later.name().equals(earlier.partner()) && later.handler() instanceof CommitPoint) {
      return of(earlier, later, ConflictKind.COMMITS, "");
    }
    return withEffects(earlier, later);
  }

  private static Optional<Conflict> withEffects(Step earlier, Step later) {
    Declaration first = earlier.declaration();
    Declaration second = later.declaration();
    if (mayStop(first) && hasEffect(second)) {
      return of(earlier, later, ConflictKind.EFFECT_AFTER_STOP, "");
    }
    if (second.effect() == EffectClass.NON_ATOMIC) {
      return of(earlier, later, ConflictKind.COMES_LAST, "");
    }
    Optional<String> read = overlap(first.reads(), second.writes());
    if (read.isPresent()) {
      return of(earlier, later, ConflictKind.WRITES_READ, read.get());
    }
    return mayStop(second) && (mayStop(first) || hasEffect(first))
        ? of(earlier, later, ConflictKind.STOPS_LATER, "")
        : Optional.empty();
  }

  private static Optional<Conflict> of(
      Step earlier, Step later, ConflictKind conflictKind, String slot) {
    return Optional.of(new Conflict(earlier, later, conflictKind, slot));
  }

  private static boolean mayStop(Declaration step) {
    return step.stops() || step.mustPerform();
  }

  private static boolean hasEffect(Declaration step) {
    return step.effect() != EffectClass.STATELESS;
  }

  /** The narrower of the first two slots that overlap. */
  private static Optional<String> overlap(List<Slot> some, List<Slot> others) {
    for (Slot one : some) {
      for (Slot other : others) {
        if (one.overlaps(other)) {
          return Optional.of((one.covers(other) ? other : one).toString());
        }
      }
    }
    return Optional.empty();
  }

  /** The conflict in words for people, naming both. */
  @Override
  public String toString() {
    return kind == ConflictKind.WRITES_TWICE
        ? earlier + " and " + later + " " + kind.words + " " + slot
        : (later
            + " "
            + kind.words
            + " "
            + (slot.isEmpty() ? "(" + earlier + ")" : slot + " (" + earlier + ")"));
  }
}
