package dev.pinion.core.kernel.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.InMemoryJournal;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.RecordCodec;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.EffectLog;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.MapColdStore;
import dev.pinion.core.kernel.PostedEvents;
import dev.pinion.core.kernel.RecordedEffects;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.step.Activity;
import dev.pinion.core.kernel.step.Digest;
import dev.pinion.core.kernel.step.Instance;
import dev.pinion.core.kernel.step.codec.RecoveryException;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.KernelMessage;
import dev.pinion.core.message.Query;
import dev.pinion.core.message.Reply;
import dev.pinion.core.message.ReplyAddress;
import dev.pinion.core.model.DefinitionName;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.instance.InstanceView;
import dev.pinion.core.model.instance.ScheduleView;
import dev.pinion.core.model.instance.StartKey;
import dev.pinion.core.model.instance.Tags;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A kernel that has recovered from the journal of another one, driven by hand. */
public final class RecoveredKernel {
  private static final int MOST_CYCLES = 100_000;

  private final RecordedEffects recordedEffects;
  private final Kernel kernel;
  private final int callsMadeAgain;
  private long nowNanos;
  private long epochMillis;
  private long lastRequest;

  /** Events that it is fed; null for none. */
  private @Nullable PostedEvents events;

  /**
   * Recovers.
   *
   * @param openings number of openings of the journal after the records
   */
  public RecoveredKernel(KernelHarness harness, List<JournalRecord> records, int openings) {
    this(harness, null, records, (recovery, kernel, record) -> {}, openings);
  }

  /** Callback before each record of a recovery. */
  public interface Before {
    void apply(Recovery recovery, Kernel kernel, int record);
  }

  /**
   * Recovers from a snapshot and the records after it.
   *
   * @param snapshot snapshot to begin with, or null
   */
  public RecoveredKernel(
      KernelHarness harness,
      @Nullable TakenSnapshot snapshot,
      List<JournalRecord> records,
      Before before,
      int openings) {
    this(harness, snapshot, records, before, openings, false);
  }

  /** Recovers once from the records of an engine that named calls by their numbers. */
  public static RecoveredKernel ofOlder(KernelHarness harness, List<JournalRecord> records) {
    return new RecoveredKernel(harness, null, records, (a, b, c) -> {}, 1, true);
  }

  private RecoveredKernel(
      KernelHarness harness,
      @Nullable TakenSnapshot snapshot,
      List<JournalRecord> records,
      Before before,
      int openings,
      boolean older) {
    this.nowNanos = harness.nowNanos();
    this.epochMillis = harness.epochMillis();
    KernelMemory space = KernelMemory.alone(harness.limits, new MapColdStore());
    this.recordedEffects = new RecordedEffects(new EffectLog(), space.heap());
    this.kernel =
        new Kernel(
            0,
            harness.limits,
            new DefinitionSources(harness.graphs(), () -> BindingTable.EMPTY, Durability.SYNC),
            new KernelOutputs(
                new InMemoryJournal(1_000_000), (id, pointer, name) -> {}, recordedEffects),
            space,
            KernelHarness.FIRST_NANOS);
    Recovery recovery = Recovery.of(kernel.state());
    recovery.onJournalOpened(harness.limits, older);
    try {
      if (snapshot != null) {
        snapshot.restore(recovery, kernel);
      }
      for (int i = 0; i < records.size(); i++) {
        before.apply(recovery, kernel, i);
        apply(recovery, List.of(records.get(i)));
      }
    } catch (RecoveryException e) {
      throw new AssertionError(e);
    }
    for (int i = 0; i < openings; i++) {
      recovery.onJournalOpened(harness.limits);
    }
    this.callsMadeAgain = recovery.finish(nowNanos);
    settle();
  }

  /** Only replays records, into a kernel that is discarded. */
  public static void replay(KernelHarness harness, List<JournalRecord> records)
      throws RecoveryException {
    Kernel kernel =
        new Kernel(
            0,
            harness.limits,
            new DefinitionSources(harness.graphs(), () -> BindingTable.EMPTY, Durability.SYNC),
            new KernelOutputs(
                new InMemoryJournal(1),
                (id, pointer, name) -> {},
                new RecordedEffects(new EffectLog())),
            KernelMemory.alone(harness.limits, new MapColdStore()),
            harness.nowNanos());
    apply(Recovery.of(kernel.state()), records);
  }

  /** Applies every record after a round trip through its form on disk. */
  private static void apply(Recovery recovery, List<JournalRecord> records)
      throws RecoveryException {
    RecordCodec codec = new RecordCodec(new PayloadCodec(EngineLimits.defaults().json()));
    for (JournalRecord record : records) {
      try {
        RecordCodec.Encoded encoded = codec.encode(record);
        JournalRecord read = codec.decode(encoded.kind(), encoded.payload());
        recovery.apply(read, read.nowNanos());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  int callsMadeAgain() {
    return callsMadeAgain;
  }

  /** Number of instances, running or ended, as far as they were not restored as ended ones. */
  long started() {
    return kernel.counters().started();
  }

  /** Number of children of an instance. */
  int childrenOf(InstanceId parent) {
    return instances(parent).size();
  }

  /** The children of an instance, or all instances: running ones, and ended ones that are kept. */
  List<InstanceView> instances(@Nullable InstanceId parent) {
    ReplyAddress<Reply.Page> to = new ReplyAddress<>(0, ++lastRequest);
    offer(new Query.ListInstances(null, null, null, Set.of(), parent, null, 100, to));
    return ((Reply.Page) reply()).instances();
  }

  /** The schedule of a definition. */
  ScheduleView schedule(ProcessGraph graph) {
    DefinitionName name = DefinitionName.of(graph.key());
    offer(new Query.GetSchedule(name, new ReplyAddress<>(0, ++lastRequest)));
    return ((Reply.ScheduleFound) reply()).schedule();
  }

  TakenSnapshot snapshot() {
    return TakenSnapshot.of(kernel);
  }

  public List<Effect.Invoke> calls() {
    return recordedEffects.calls;
  }

  void settle() {
    for (int i = 0; i < MOST_CYCLES; i++) {
      PostedEvents fed = events;
      if (kernel.doWork(nowNanos, epochMillis) == 0 && (fed == null || !fed.feed())) {
        return;
      }
    }
    throw new AssertionError("expected the kernel to come to rest, but it did not");
  }

  public void advance(Duration time) {
    nowNanos += time.toNanos();
    epochMillis += time.toMillis();
    if (events != null) {
      events.time(epochMillis);
    }
    settle();
  }

  /** Feeds it from another log from now on, to which the test posts. */
  public PostedEvents hear(EngineLimits limits) {
    PostedEvents fed = new PostedEvents(limits, kernel);
    events = fed;
    return fed;
  }

  public void answer(Effect.Invoke call, Payload output) {
    recordedEffects.calls.remove(call);
    assertTrue(
        kernel
            .completions()
            .offer(
                new Event.CallCompleted(
                    call.id(),
                    call.activity(),
                    call.attempt(),
                    new CallOutcome.Succeeded(output))));
    settle();
  }

  /** Answers a call with status 503. */
  public void fail(Effect.Invoke call) {
    recordedEffects.calls.remove(call);
    CallOutcome failed = new CallOutcome.Failed(KernelHarness.communication(503));
    assertTrue(
        kernel
            .completions()
            .offer(new Event.CallCompleted(call.id(), call.activity(), call.attempt(), failed)));
    settle();
  }

  /** Starts another instance of a known definition. */
  public InstanceId start(KernelHarness harness) {
    Event.Started first = (Event.Started) harness.journal.entries().getFirst().event();
    ReplyAddress<Reply.StartReply> to = new ReplyAddress<>(0, ++lastRequest);
    offer(new Command.Start(first.definition(), 0, Payload.NULL, to, false));
    return ((Reply.Accepted) reply()).id();
  }

  /** The first reply to a start under a key. */
  public Reply start(ProcessGraph graph, StartKey key, boolean join) {
    ReplyAddress<Reply.StartReply> to = new ReplyAddress<>(0, ++lastRequest);
    offer(new Command.Start(graph.key(), 0, Payload.NULL, to, false, key, join));
    return reply();
  }

  /** Replies so far to a start with an ordering key. */
  public List<Reply> startInOrder(ProcessGraph graph, String key) {
    ReplyAddress<Reply.StartReply> to = new ReplyAddress<>(0, ++lastRequest);
    Tags tags = new Tags(null, Map.of(Tags.ORDERING_KEY, key));
    offer(new Command.Start(graph.key(), 0, Payload.NULL, to, false, null, false, tags));
    return recordedEffects.replies.getOrDefault(lastRequest, List.of());
  }

  /** Retries a faulted instance. */
  public void retry(InstanceId id) {
    offer(new Command.Retry(id, new ReplyAddress<>(0, ++lastRequest), false));
  }

  /** Resumes a suspended instance. */
  public void resume(InstanceId id) {
    offer(new Command.Resume(id, new ReplyAddress<>(0, ++lastRequest)));
  }

  /** A kernel that has restored a snapshot of this one, and nothing else. */
  public RecoveredKernel again(KernelHarness harness) {
    return new RecoveredKernel(
        harness, snapshot(), List.of(), (recovery, recovered, record) -> {}, 1);
  }

  public InstanceView view(InstanceId id) {
    offer(new Query.GetInstance(id, false, new ReplyAddress<>(0, ++lastRequest)));
    return Objects.requireNonNull(KernelHarness.viewIn(reply()));
  }

  private void offer(KernelMessage message) {
    assertTrue(kernel.requests().offer(message));
    settle();
  }

  private Reply reply() {
    return recordedEffects.replies.getOrDefault(lastRequest, List.of()).getFirst();
  }

  /** Compares every instance and all work in progress with the kernel that wrote the journal. */
  public void assertLike(KernelHarness original) {
    for (InstanceId id : original.journal.entries().stream().map(JournalRecord::id).toList()) {
      Instance expected = original.kernel().instances().running(id);
      Instance found = kernel.instances().running(id);
      assertEquals(
          expected == null ? original.view(id).toString() : digest(original.kernel(), expected),
          found == null ? view(id).toString() : digest(kernel, found),
          () -> "state of " + id);
    }
    assertLikeUnderWay(original);
  }

  /** Compares as {@link #assertLike} does, except for ended instances. */
  void assertLikeUnderWay(KernelHarness original) {
    for (InstanceId id : original.journal.running()) {
      Instance expected = original.kernel().instances().running(id);
      Instance found = kernel.instances().running(id);
      assertEquals(
          expected == null ? "none" : digest(original.kernel(), expected),
          found == null ? "none" : digest(kernel, found),
          () -> "state of " + id);
    }
    assertEquals(
        calls(original.kernel(), original.calls),
        calls(kernel, recordedEffects.calls),
        "running calls");
    if (!KernelHarness.evaluationsWait(original.kernel())
        && !KernelHarness.evaluationsWait(kernel)) {
      assertEquals(
          evaluations(original.kernel(), original.evaluations),
          evaluations(kernel, recordedEffects.evaluations),
          "evaluations in progress");
    }
    assertEquals(
        original.kernel().instances().size(), kernel.instances().size(), "running instances");
    assertEquals(
        original.kernel().router().timers().size(), kernel.router().timers().size(), "timers");
    assertEquals(heldBytes(original.kernel()), heldBytes(kernel), "held bytes");
  }

  private static List<String> calls(Kernel kernel, List<Effect.Invoke> calls) {
    return calls.stream()
        .filter(call -> isAwaited(kernel, call.id(), call.activity(), call.attempt()))
        .map(
            call -> awaited(call.id(), call.activity(), call.attempt()) + call.call().description())
        .distinct()
        .sorted()
        .toList();
  }

  private static List<String> evaluations(Kernel kernel, List<Effect.Evaluate> evaluations) {
    return evaluations.stream()
        .filter(made -> isAwaited(kernel, made.id(), made.activity(), made.attempt()))
        .map(made -> awaited(made.id(), made.activity(), made.attempt()))
        .distinct()
        .sorted()
        .toList();
  }

  /**
   * Name of an awaited call or evaluation. An instance that was retried awaits those beside the
   * failure under their old names, so requests from its first life may still be on their way.
   */
  private static String awaited(InstanceId id, int slot, int attempt) {
    return id + " " + slot + " " + attempt + " ";
  }

  /**
   * Whether a call or evaluation is awaited; false for one that was withdrawn and not reported yet.
   */
  private static boolean isAwaited(Kernel kernel, InstanceId id, int slot, int attempt) {
    Instance instance = kernel.instances().running(id);
    Activity activity = instance == null ? null : instance.activity(slot);
    return activity != null && activity.awaiting() == attempt;
  }

  /** Heap bytes charged to instances. */
  public long heldBytes() {
    return kernel.memoryAccount().heapBytes();
  }

  /** Charges of instances that are part of their state. */
  private static long heldBytes(Kernel kernel) {
    return kernel.instances().runningIds().stream()
        .map(id -> Objects.requireNonNull(kernel.instances().running(id)))
        .mapToLong(Instance::heldBytes)
        .sum();
  }

  /** Digest of an instance, which may be packed. */
  private static String digest(Kernel kernel, Instance instance) {
    StringBuilder digest = new StringBuilder();
    kernel
        .memoryAccount()
        .packing()
        .withUnpacked(instance, () -> digest.append(Digest.of(instance)));
    return digest.toString();
  }
}
