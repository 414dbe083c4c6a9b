package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.journal.InMemoryJournal;
import dev.pinion.core.journal.Journal;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.kernel.step.Digest;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.InstanceReplay;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.InstanceId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A journal that also stores the state of each instance at each event, so that a replay can be
 * compared event by event.
 */
public final class RecordingJournal implements Journal {
  private static final int MOST_RECORDS = 1_000_000;
  private static final String ABORT = "abort ";
  private static final String INVOKE = "invoke ";

  private final KernelHarness harness;
  private final InMemoryJournal events = new InMemoryJournal(MOST_RECORDS);
  private final List<String> digests = new ArrayList<>();
  private boolean comparing = true;
  private boolean effectsWaited;
  private long refusedFrom;
  private @Nullable Rejection refusal;

  public RecordingJournal(KernelHarness harness) {
    this.harness = harness;
  }

  /** Stores events only: for tests whose instances are too large for a digest at each event. */
  public void withoutComparison() {
    comparing = false;
  }

  /** Notes whether evaluations wait, so that they go out later than a replay asks for them. */
  void effectsWaited(boolean now) {
    effectsWaited |= now;
  }

  @Override
  public long append(JournalRecord record) {
    if (comparing) {
      Instance instance = harness.kernelOf(record.id()).instances().running(record.id());
      boolean starts = record.event() instanceof Event.Started;
      digests.add(starts || instance == null ? "" : Digest.of(instance));
    }
    return events.append(record);
  }

  /** Has another writer take over, of which this one does not learn. */
  public void fence() {
    events.fence();
  }

  /** Refuses starts behind a number of records; null for no more. */
  public void refuseFrom(long records, @Nullable Rejection rejection) {
    refusedFrom = records;
    refusal = rejection;
  }

  @Override
  public @Nullable Rejection refusal() {
    return events.appended() >= refusedFrom ? refusal : null;
  }

  @Override
  public long appended() {
    return events.appended();
  }

  @Override
  public long durable() {
    return events.durable();
  }

  @Override
  public long readBarrier() {
    return events.readBarrier();
  }

  /** Makes later records durable only when they are forced. */
  public void waitForForce() {
    events.waitForForce();
  }

  /** Makes later records durable when they are appended. */
  public void forceAtOnce() {
    events.forceAtOnce();
  }

  /** Makes the appended records durable. */
  public void force() {
    events.force();
  }

  /** The state of the instance when it was recorded; empty for a start. */
  public String digest(int record) {
    return digests.get(record);
  }

  public List<JournalRecord> entries() {
    return events.records();
  }

  /** Instances that were started and have not ended. */
  public List<InstanceId> running() {
    return entries().stream()
        .map(JournalRecord::id)
        .distinct()
        .filter(id -> harness.kernelOf(id).instances().running(id) != null)
        .toList();
  }

  /** Number of retries of faulted instances. */
  public int retried() {
    return (int) entries().stream().filter(each -> each.event() instanceof Event.Retried).count();
  }

  /** Number of instances that others started. */
  public int children() {
    return (int)
        entries().stream()
            .filter(each -> each.event() instanceof Event.Started start && start.parent() != null)
            .count();
  }

  /** Replays every instance that ended and compares states, effects and the end. */
  void assertReplays() {
    if (!comparing) {
      return;
    }
    Map<InstanceId, InstanceReplay> replays = new LinkedHashMap<>();
    Set<InstanceId> retried = new HashSet<>();
    List<JournalRecord> entries = entries();
    for (int i = 0; i < entries.size(); i++) {
      JournalRecord entry = entries.get(i);
      String digest = digests.get(i);
      if (entry.event() instanceof Event.Started start) {
        replays.put(
            entry.id(),
            new InstanceReplay(
                harness.limits, harness.graph(start.definition()), entry, start.input()));
      } else if (retried.contains(entry.id()) || entry.event() instanceof Event.Retried) {
        retried.add(entry.id()); // continues from a serialized state: not part of this replay
        replays.remove(entry.id());
      } else {
        InstanceReplay instanceReplay = Objects.requireNonNull(replays.get(entry.id()));
        if (entry.event() instanceof Event.ServiceBound) {
          continue; // in the middle of a phase, and no part of any step
        }
        boolean noRoom = entry.event() instanceof Event.MemoryExceeded;
        instanceReplay.catchUp(noRoom ? entry.advances() - 1 : entry.advances());
        if (noRoom) {
          instanceReplay.apply(entry);
          continue;
        }
        if (entry.event() instanceof Event.TurnsCompleted && digest.isEmpty()) {
          continue; // it had ended by then
        }
        assertEquals(
            digest, instanceReplay.digest(), () -> "state of " + entry.id() + " before " + entry);
        instanceReplay.apply(entry);
      }
    }
    replays.forEach(
        (id, instanceReplay) -> {
          instanceReplay.catchUp(Long.MAX_VALUE);
          List<String> left = harness.log.of(id);
          List<String> again = sent(instanceReplay.effects(), left);
          assertEquals(ordered(left), ordered(again), () -> "effects of " + id);
          harness
              .lookUp(id)
              .ifPresent(view -> assertEquals(view, instanceReplay.view(), "end of " + id));
        });
  }

  /** Effects in an order that can be compared: calls and evaluations that had to wait come last. */
  private List<String> ordered(List<String> effects) {
    if (!effectsWaited) {
      return effects;
    }
    List<String> ordered = new ArrayList<>(effects);
    ordered.sort(Comparator.comparing(RecordingJournal::waiting));
    return ordered;
  }

  private static String waiting(String effect) {
    boolean waits = isEvaluation(effect) || effect.startsWith(INVOKE) || effect.startsWith(ABORT);
    return waits ? effect : "";
  }

  private static boolean isEvaluation(String effect) {
    return effect.startsWith("evaluate ");
  }

  /** Effects without evaluations and calls that were withdrawn while they waited for room. */
  private static List<String> sent(List<String> effects, List<String> left) {
    Set<String> known = Set.copyOf(left);
    Set<String> withdrawn = new HashSet<>();
    for (String effect : effects) {
      if (effect.startsWith(ABORT) && !known.contains(effect)) {
        withdrawn.add(effect.substring(ABORT.length()));
      }
    }
    return effects.stream()
        .filter(effect -> known.contains(effect) || !isWithdrawn(effect, withdrawn))
        .toList();
  }

  private static boolean isWithdrawn(String effect, Set<String> withdrawn) {
    String[] words = effect.split(" ", 3);
    boolean ofCall = effect.startsWith(INVOKE) || effect.startsWith(ABORT);
    return isEvaluation(effect) || (ofCall && withdrawn.contains(words[1]));
  }
}
