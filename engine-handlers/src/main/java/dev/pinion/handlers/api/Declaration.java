package dev.pinion.handlers.api;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Properties of a handler, declared by itself. Immutable; begin with {@link #NOTHING} and state the
 * differences: {@code
 * Declaration.NOTHING.reading(Slot.property("header.authorization")).stopping().mandatory()}.
 *
 * <p>A chain document may change {@code mustPerform}, {@code oneway}, {@code timeout}, {@code
 * retries} for its use of a handler.
 *
 * @param reads slots that it reads
 * @param writes slots that it may change
 * @param stops whether it may answer or refuse a message
 * @param mustPerform whether the message stops with a problem when the handler fails; others are
 *     skipped
 * @param oneway whether the message does not wait for it: it changes nothing, stops nothing, and
 *     its failures are only counted
 * @param work kind of its work
 * @param effect class of its effect outside of the message
 * @param timeout time-out of one attempt
 * @param retries repetitions after a failure, from 0 to {@value #MAX_RETRIES}; without a meaning
 *     for {@link EffectClass#NON_ATOMIC}
 * @param peer the pair that it belongs to, or null
 */
public record Declaration(
    List<Slot> reads,
    List<Slot> writes,
    boolean stops,
    boolean mustPerform,
    boolean oneway,
    Work work,
    EffectClass effect,
    Duration timeout,
    int retries,
    @Nullable Peer peer) {
  /** The most repetitions of a failing handler. */
  public static final int MAX_RETRIES = 10;

  /** The longest time-out of an attempt. */
  public static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);

  /** Defaults of a declaration: reads and writes nothing, and just computes. */
  public static final Declaration NOTHING =
      new Declaration(
          List.of(),
          List.of(),
          false,
          false,
          false,
          Work.CPU,
          EffectClass.STATELESS,
          Duration.ofSeconds(5),
          0,
          null);

  /** Checks the ranges and the consistency of the declaration. */
  public Declaration {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(MAX_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "expected a timeout above 0 and of at most " + MAX_TIMEOUT + ", found " + timeout);
    }
    if (retries < 0 || retries > MAX_RETRIES) {
      throw new IllegalArgumentException(
          "expected from 0 to " + MAX_RETRIES + " retries, found " + retries);
    }
    if (oneway && (mustPerform || stops || !writes.isEmpty())) {
      throw new IllegalArgumentException(
          "expected a oneway handler to change nothing, to stop nothing and not to be mandatory,"
              + " found one that "
              + (mustPerform
                  ? "must perform"
                  : stops ? "may stop the message" : "writes " + writes));
    }
  }

  /** This declaration, reading further slots. */
  public Declaration reading(Slot... slots) {
    return withSlots(joined(reads, List.of(slots)), writes);
  }

  /** This declaration, writing further slots. */
  public Declaration writing(Slot... slots) {
    return withSlots(reads, joined(writes, List.of(slots)));
  }

  /** This declaration, reading and writing exactly these slots. */
  public Declaration withSlots(Collection<Slot> reading, Collection<Slot> writing) {
    return new Declaration(
        List.copyOf(reading),
        List.copyOf(writing),
        stops,
        mustPerform,
        oneway,
        work,
        effect,
        timeout,
        retries,
        peer);
  }

  private static List<Slot> joined(List<Slot> some, List<Slot> more) {
    List<Slot> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
  }

  /** This declaration, with the right to answer or refuse a message. */
  public Declaration stopping() {
    return new Declaration(
        reads, writes, true, mustPerform, oneway, work, effect, timeout, retries, peer);
  }

  /** This declaration, stopping the message when the handler fails. */
  public Declaration mandatory() {
    return withMustPerform(true);
  }

  /** This declaration, with or without stopping the message when the handler fails. */
  public Declaration withMustPerform(boolean must) {
    return new Declaration(
        reads, writes, stops, must, oneway, work, effect, timeout, retries, peer);
  }

  /** This declaration, with or without the message waiting for the handler. */
  public Declaration withOneway(boolean nobodyWaits) {
    return new Declaration(
        reads, writes, stops, mustPerform, nobodyWaits, work, effect, timeout, retries, peer);
  }

  /** This declaration, with another kind of work. */
  public Declaration with(Work other) {
    return new Declaration(
        reads, writes, stops, mustPerform, oneway, other, effect, timeout, retries, peer);
  }

  /** This declaration, with another class of effect. */
  public Declaration with(EffectClass other) {
    return new Declaration(
        reads, writes, stops, mustPerform, oneway, work, other, timeout, retries, peer);
  }

  /** This declaration, as one side of a pair. */
  public Declaration with(Peer other) {
    return new Declaration(
        reads, writes, stops, mustPerform, oneway, work, effect, timeout, retries, other);
  }

  /** This declaration, with another time-out of an attempt. */
  public Declaration within(Duration longest) {
    return new Declaration(
        reads, writes, stops, mustPerform, oneway, work, effect, longest, retries, peer);
  }

  /** This declaration, with another number of repetitions after a failure. */
  public Declaration retried(int times) {
    return new Declaration(
        reads, writes, stops, mustPerform, oneway, work, effect, timeout, times, peer);
  }
}
