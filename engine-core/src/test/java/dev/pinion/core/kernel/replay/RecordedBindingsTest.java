package dev.pinion.core.kernel.replay;

import static dev.pinion.core.kernel.Tasks.call;
import static dev.pinion.core.kernel.Tasks.graph;
import static dev.pinion.core.kernel.Values.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.binding.BindingSource;
import dev.pinion.core.binding.BindingTable;
import dev.pinion.core.binding.BoundService;
import dev.pinion.core.binding.ServiceCandidates;
import dev.pinion.core.binding.ServiceEndpoint;
import dev.pinion.core.binding.ServiceMapping;
import dev.pinion.core.codec.ByteWriter;
import dev.pinion.core.graph.ProcessGraph;
import dev.pinion.core.journal.JournalRecord;
import dev.pinion.core.journal.SnapshotEntry;
import dev.pinion.core.kernel.DefinitionSources;
import dev.pinion.core.kernel.EffectLog;
import dev.pinion.core.kernel.HttpCalls;
import dev.pinion.core.kernel.Kernel;
import dev.pinion.core.kernel.KernelHarness;
import dev.pinion.core.kernel.MapColdStore;
import dev.pinion.core.kernel.RecordedEffects;
import dev.pinion.core.kernel.RecordingJournal;
import dev.pinion.core.kernel.output.KernelOutputs;
import dev.pinion.core.kernel.step.InstanceWriter;
import dev.pinion.core.kernel.step.memory.KernelMemory;
import dev.pinion.core.message.Command;
import dev.pinion.core.message.Effect;
import dev.pinion.core.message.Event;
import dev.pinion.core.message.Event.ServiceBound;
import dev.pinion.core.model.Durability;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.Tags;
import dev.pinion.core.spi.InstanceObserver;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Recorded choices of concrete services. */
class RecordedBindingsTest {
  @RegisterExtension final KernelHarness harness = new KernelHarness();

  private static ServiceEndpoint service(String id, boolean idempotent) {
    return new ServiceEndpoint(id, "http://" + id, idempotent, ServiceMapping.NONE);
  }

  /** A service that returns its choices in turn. */
  private static BoundService dealt(boolean stateful, boolean idempotent, String... turns) {
    Map<String, ServiceCandidates> singles = new HashMap<>();
    Arrays.stream(turns)
        .forEach(id -> singles.put(id, ServiceCandidates.single(service(id, idempotent))));
    Deque<String> left = new ArrayDeque<>(List.of(turns));
    return new BoundService(
        stateful,
        singles,
        () -> {
          String next = left.remove();
          left.add(next);
          return Objects.requireNonNull(singles.get(next));
        });
  }

  private static BindingTable table(BoundService service) {
    return new BindingTable(1, "default", Map.of("default", Map.of("seats", service)));
  }

  private List<Event.ServiceBound> bound() {
    return harness.journal.entries().stream()
        .map(JournalRecord::event)
        .filter(Event.ServiceBound.class::isInstance)
        .map(Event.ServiceBound.class::cast)
        .toList();
  }

  @Test
  void shouldDealOutCallsWithoutRecordsWhereTheyMayBeRepeated() {
    harness.bind(table(dealt(false, true, "a", "b")));
    harness.journal.withoutComparison(); // a replay has no bindings
    harness.start(graph(call("x", "svc://seats/x"), call("y", "svc://seats/y")));
    assertEquals("http://a/x", HttpCalls.of(harness.calls.getFirst()).uri());
    harness.answer("x", json("1"));

    assertEquals("http://b/y", HttpCalls.of(harness.calls.getFirst()).uri());
    assertEquals(List.of(), bound());
  }

  @Test
  void shouldRecordWhoDoesACallThatMustNotBeRepeatedElsewhere() {
    harness.bind(table(dealt(false, false, "a", "b")));
    harness.journal.withoutComparison();
    InstanceId id = harness.start(graph(call("x", "svc://seats/x"), call("y", "svc://seats/y")));
    harness.answer("x", json("1"));
    Effect.Invoke second = harness.calls.getFirst();

    assertEquals("http://b/y", HttpCalls.of(second).uri());
    assertEquals(List.of("a", "b"), bound().stream().map(Event.ServiceBound::to).toList());
    assertEquals(
        new Event.ServiceBound(id, second.activity(), second.attempt(), "seats", "b"),
        bound().getLast());
  }

  @Test
  void shouldCallOneServiceForAWholeInstance() {
    harness.bind(table(dealt(true, true, "a", "b")));
    harness.journal.withoutComparison();
    ProcessGraph graph = graph(call("x", "svc://seats/x"), call("y", "svc://seats/y"));
    InstanceId first = harness.start(graph);
    harness.answer("x", json("1"));
    assertEquals("http://a/y", HttpCalls.of(harness.calls.getFirst()).uri());
    harness.answer("y", json("2"));
    harness.start(graph);

    assertEquals("http://b/x", HttpCalls.of(harness.calls.getFirst()).uri());
    assertEquals(Event.ServiceBound.ofInstance(first, "seats", "a"), bound().getFirst());
    assertEquals(2, bound().size());
  }

  @Test
  void shouldFailWhenTheServiceOfAnInstanceIsGone() {
    harness.bind(table(dealt(true, true, "a")));
    harness.journal.withoutComparison();
    InstanceId id = harness.start(graph(call("x", "svc://seats/x"), call("y", "svc://seats/y")));
    harness.bind(table(dealt(true, true, "b")));
    harness.answer("x", json("1"));

    assertEquals(ErrorType.CONFIGURATION.uri(), harness.error(id).type());
    assertTrue(Objects.requireNonNull(harness.error(id).detail()).contains("\"a\""));
  }

  @Test
  void shouldBindByTheClassOfTheInstance() {
    BindingTable table =
        new BindingTable(
            1,
            "basic",
            Map.of(
                "gold", Map.of("seats", dealt(false, true, "fast")),
                "basic", Map.of("seats", dealt(false, true, "slow"))));
    harness.bind(table);
    harness.journal.withoutComparison();
    ProcessGraph graph = graph(call("x", "svc://seats/x"));
    harness.start(graph);
    assertEquals("http://slow/x", HttpCalls.of(harness.calls.getFirst()).uri());
    harness.answer("x", json("1"));
    startAs(graph, "gold");
    assertEquals("http://fast/x", HttpCalls.of(harness.calls.getFirst()).uri());
    harness.answer("x", json("1"));
    startAs(graph, "unknown");

    assertEquals("http://slow/x", HttpCalls.of(harness.calls.getFirst()).uri());
  }

  private void startAs(ProcessGraph graph, String serviceClass) {
    Tags tags = new Tags(null, Map.of(Tags.SERVICE_CLASS, serviceClass));
    harness.offer(
        0,
        new Command.Start(
            graph.key(), 0, Payload.NULL, harness.newAddress(), false, null, false, tags));
    harness.settle();
  }

  @Test
  void shouldHandOverThePatternOfACall() {
    ServiceCandidates pair =
        new ServiceCandidates(
            ServiceCandidates.Pattern.ALTERNATE, List.of(service("a", true), service("b", true)));
    harness.bind(table(new BoundService(false, Map.of(), () -> pair)));
    harness.start(graph(call("x", "svc://seats/x")));

    assertEquals("svc://seats/x", HttpCalls.of(harness.calls.getFirst()).uri());
    assertEquals(pair, harness.calls.getFirst().candidates());
  }

  private static ServiceEndpoint async(String id) {
    return new ServiceEndpoint(id, "http://" + id, true, ServiceMapping.NONE, true);
  }

  /** A table that returns one choice after the other, of services that may answer later or not. */
  private static BindingTable dealing(ServiceCandidates... turns) {
    Map<String, ServiceCandidates> singles = new HashMap<>();
    Arrays.stream(turns)
        .flatMap(turn -> turn.services().stream())
        .forEach(each -> singles.put(each.id(), ServiceCandidates.single(each)));
    Deque<ServiceCandidates> left = new ArrayDeque<>(List.of(turns));
    return table(new BoundService(false, singles, left::remove));
  }

  @Test
  void shouldMakeACallAgainWhereItsAnswerMayComeFrom() throws Exception {
    harness.journal.withoutComparison();
    ServiceCandidates one = ServiceCandidates.single(async("a"));
    ServiceCandidates alternate =
        new ServiceCandidates(
            ServiceCandidates.Pattern.ALTERNATE, List.of(service("b", true), async("a")));
    ServiceCandidates parallel =
        new ServiceCandidates(
            ServiceCandidates.Pattern.PARALLEL, List.of(async("a"), service("b", true)));
    for (ServiceCandidates each : List.of(one, alternate, parallel)) {
      int before = harness.journal.entries().size();
      harness.bind(dealing(each));
      harness.start(graph(call("x", "svc://seats/x")));
      assertEquals(each, harness.call("x").candidates());
      BindingTable other =
          dealing(ServiceCandidates.single(service("b", true)), one); // would choose b
      RecordedEffects recordedEffects = recover(() -> other, before, List.of());

      assertEquals(
          List.of(each), recordedEffects.calls.stream().map(Effect.Invoke::candidates).toList());
      harness.answer("x", json("1"));
    }
    assertEquals(List.of("a", "b>a", "a|b"), bound().stream().map(ServiceBound::to).toList());
  }

  @Test
  void shouldFailWhenOneOfAPatternIsGone() throws Exception {
    harness.journal.withoutComparison();
    ServiceCandidates pair =
        new ServiceCandidates(
            ServiceCandidates.Pattern.ALTERNATE, List.of(service("b", true), async("a")));
    harness.bind(dealing(pair));
    harness.start(graph(call("x", "svc://seats/x")));
    BindingTable other = dealing(ServiceCandidates.single(service("b", true)));

    assertEquals(List.of(), recover(() -> other, 0, List.of()).calls);
  }

  @Test
  void shouldTellTheAbstractServiceAndTheServiceClassOfACall() {
    harness.bind(table(BoundService.single(service("a", true))));
    harness.journal.withoutComparison();
    ProcessGraph graph = graph(call("x", "svc://seats/x"), call("y", "http://plain/y"));
    harness.start(graph);
    Effect.Invoke bound = harness.calls.getFirst();
    assertEquals("seats", bound.service());
    assertTrue(bound.candidates() != null && bound.candidates().isDirect(), "the call goes there");
    assertNull(bound.serviceClass());
    harness.answer("x", json("1"));
    assertNull(harness.calls.getFirst().service(), "a concrete one");
    harness.answer("y", json("1"));

    startAs(graph, "gold");
    assertEquals("gold", harness.calls.getFirst().serviceClass());
    harness.answer("x", json("1"));
    assertEquals("gold", harness.calls.getFirst().serviceClass(), "of concrete ones as well");
  }

  /** A kernel that recovers from the harness's journal, with another table. */
  private RecordedEffects recover(BindingSource bindings, int from, List<byte[]> states)
      throws Exception {
    RecordedEffects recordedEffects = new RecordedEffects(new EffectLog());
    Kernel kernel =
        new Kernel(
            0,
            harness.limits,
            new DefinitionSources(harness.graphs(), bindings, Durability.SYNC),
            new KernelOutputs(
                new RecordingJournal(harness), InstanceObserver.NONE, recordedEffects),
            KernelMemory.alone(harness.limits, new MapColdStore()),
            harness.nowNanos());
    Recovery recovery = Recovery.of(kernel.state());
    for (byte[] state : states) {
      recovery.restoreEntry(0, SnapshotEntry.INSTANCE, state, 0);
    }
    List<JournalRecord> records = harness.journal.entries();
    for (JournalRecord record : records.subList(from, records.size())) {
      recovery.apply(record, record.nowNanos());
    }
    recovery.onJournalOpened(harness.limits);
    recovery.finish(harness.nowNanos());
    kernel.doWork(harness.nowNanos(), KernelHarness.FIRST_EPOCH_MILLIS);
    return recordedEffects;
  }

  private static List<String> uris(RecordedEffects recordedEffects) {
    return recordedEffects.calls.stream().map(each -> HttpCalls.of(each).uri()).toList();
  }

  @Test
  void shouldMakeACallAgainWhereItWasMade() throws Exception {
    harness.journal.withoutComparison();
    harness.bind(table(dealt(false, false, "a", "b")));
    harness.start(graph(call("x", "svc://seats/x")));
    BindingTable other = table(dealt(false, false, "b", "a")); // would choose b

    assertEquals(List.of("http://a/x"), uris(recover(() -> other, 0, List.of())));
  }

  @Test
  void shouldMakeACallAgainWhereItWasMadeAfterASnapshot() throws Exception {
    harness.journal.withoutComparison();
    harness.bind(table(dealt(false, false, "a", "b")));
    harness.start(graph(call("x", "svc://seats/x")));
    BindingTable other = table(dealt(false, false, "b", "a"));
    int all = harness.journal.entries().size();

    assertEquals(List.of("http://a/x"), uris(recover(() -> other, all, List.of(written()))));
  }

  @Test
  void shouldKeepTheServiceOfAnInstanceOverASnapshot() throws Exception {
    harness.journal.withoutComparison();
    harness.bind(table(dealt(true, true, "a", "b")));
    harness.start(graph(call("x", "svc://seats/x"), call("y", "svc://seats/y")));
    byte[] state = written();
    int before = harness.journal.entries().size();
    harness.answer("x", json("1"));
    BindingTable other = table(dealt(true, true, "b", "a"));

    assertEquals(List.of("http://a/y"), uris(recover(() -> other, before, List.of(state))));
  }

  @Test
  void shouldNotWriteBindingsWhereThereAreNone() {
    harness.journal.withoutComparison();
    harness.bind(table(dealt(false, true, "a")));
    harness.start(graph(call("x", "svc://seats/x")));
    byte[] unbound = written();
    harness.answer("x", json("1"));
    harness.bind(table(dealt(false, false, "a")));
    harness.start(graph(call("x", "svc://seats/x")));

    assertTrue(written().length > unbound.length, "only what is bound takes room");
  }

  private byte[] written() {
    List<InstanceId> running = harness.kernel().instances().runningIds();
    assertEquals(1, running.size());
    ByteWriter out = new ByteWriter();
    InstanceWriter.write(
        Objects.requireNonNull(harness.kernel().instances().running(running.getFirst())), out);
    return out.toBytes();
  }

  @Test
  void shouldFindOnlyServicesOfTheTable() {
    BoundService service = dealt(false, true, "a");

    assertNotNull(service.named("a"));
    assertNull(service.named("b"));
  }
}
