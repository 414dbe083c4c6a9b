package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.pinion.core.events.CloudEventReader;
import dev.pinion.core.events.InMemoryEventLog;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.limits.EventLimits;
import dev.pinion.core.message.Effect;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.A2aCall;
import dev.pinion.core.model.call.EventEmission;
import dev.pinion.core.model.call.HttpCall;
import dev.pinion.core.model.call.McpCall;
import dev.pinion.core.model.call.ProgramRun;
import dev.pinion.core.model.call.ProtocolCall;
import dev.pinion.core.spi.ExternalEvents.EventReceipt;
import dev.pinion.oracle.Definition;
import dev.pinion.oracle.Script;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Services that a simulated engine calls. They outlive it: a call that is delivered again because
 * the engine had ended gets its earlier answer; one that a {@code try} makes again gets the next
 * one. All calls of one key have rising attempts.
 */
public final class SimulatedServices {
  /** Events are kept: a task may listen after an event that another branch emits. */
  public static final Map<String, Integer> KEEPING = Map.of("events.keepMillis", 86_400_000);

  private static final EngineLimits LIMITS = EngineLimits.defaults().with(KEEPING);
  private static final EventLimits EVENT_LIMITS = LIMITS.events();

  /** Parameter that carries what a call over another protocol sends. */
  private static final String ARGUMENTS = "arguments";

  private static final JsonMapper JSON = new JsonMapper();

  private final Definition definition;
  private final List<Delivery> deliveries = new ArrayList<>();
  private final Map<CallName, Known> calls = new LinkedHashMap<>();
  private final Map<String, Delivery> lastUnderKey = new HashMap<>();
  private final Map<String, Integer> ordinals = new HashMap<>();

  /** Events that were emitted, whatever became of those who did. */
  private final InMemoryEventLog events = new InMemoryEventLog(EVENT_LIMITS);

  private final SavedEventLog saved = new SavedEventLog(events);

  /**
   * A received request, or an emitted event.
   *
   * @param name of the call: a repetition after the engine had ended has the same
   * @param key name of the call for its service; the id of an event
   * @param attempt number of the attempt in its header
   * @param path of the service; the type of an event
   * @param body JSON null for none; the data of an event
   * @param event the whole event, or null
   */
  record Delivery(
      CallName name,
      String key,
      int attempt,
      String path,
      JsonNode body,
      @Nullable Payload event,
      long nowNanos) {}

  /** A call by its instance and its number within the instance. */
  record CallName(InstanceId instance, int number) implements Comparable<CallName> {
    @Override
    public int compareTo(CallName other) {
      int order = instance.compareTo(other.instance);
      return order == 0 ? Integer.compare(number, other.number) : order;
    }
  }

  /**
   * A call by its number: its first and last delivery, the number of deliveries, and the answer.
   */
  private record Known(Delivery first, Delivery last, int count, Script.Answer answer) {}

  public SimulatedServices(Definition definition) {
    this.definition = definition;
  }

  /** The request of a call. */
  public static Delivery delivery(Effect.Invoke invoke, long nowNanos) {
    CallName name = new CallName(invoke.id(), invoke.attempt());
    return switch (invoke.call()) {
      case HttpCall call -> delivery(name, call, json(call.body()), nowNanos);
      case McpCall call -> delivery(name, (HttpCall) call.carrier(), arguments(call), nowNanos);
      case A2aCall call -> delivery(name, call.request(), arguments(call), nowNanos);
      case ProgramRun program ->
          new Delivery(
              name,
              Objects.requireNonNull(program.environment().get(ProgramRun.IDEMPOTENCY_KEY)),
              Integer.parseInt(program.environment().getOrDefault(ProgramRun.ATTEMPT, "")),
              program.arguments().getFirst(),
              json(program.body()),
              null,
              nowNanos);
      default -> throw new AssertionError("expected a call of a service, found " + invoke);
    };
  }

  private static Delivery delivery(CallName name, HttpCall call, JsonNode body, long nowNanos) {
    return new Delivery(
        name,
        header(call, HttpCall.IDEMPOTENCY_KEY),
        Integer.parseInt(header(call, HttpCall.ATTEMPT)),
        URI.create(call.uri()).getPath(),
        body,
        null,
        nowNanos);
  }

  private static JsonNode arguments(ProtocolCall call) {
    JsonNode sent = json(call.body()).get(ARGUMENTS);
    return sent == null ? NullNode.getInstance() : sent;
  }

  private static String header(HttpCall call, String name) {
    return call.headers().stream()
        .filter(field -> field.name().equals(name))
        .map(HttpCall.HeaderField::value)
        .findFirst()
        .orElseThrow(() -> new AssertionError("expected " + name + " in " + call));
  }

  /** A value as a reader sees it: whole numbers are of one kind. */
  static JsonNode json(@Nullable Payload payload) {
    if (payload == null) {
      return NullNode.getInstance();
    }
    try {
      return JSON.readTree(payload.toString());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Answers a request; one of a known call must be the same call again. */
  public Script.Answer deliver(Delivery delivery) {
    deliveries.add(delivery);
    checkKey(delivery);
    Known known = calls.get(delivery.name());
    if (known == null) {
      int ordinal = ordinals.merge(delivery.path(), 1, Integer::sum);
      Script.Answer answer = definition.answer(delivery.path(), delivery.body(), ordinal);
      calls.put(delivery.name(), new Known(delivery, delivery, 1, answer));
      return answer;
    }
    assertEquals(known.first.key(), delivery.key(), () -> "key of call " + delivery.name());
    assertEquals(known.first.body(), delivery.body(), () -> "body under " + delivery.key());
    calls.put(delivery.name(), new Known(known.first, delivery, known.count + 1, known.answer));
    return known.answer;
  }

  private void checkKey(Delivery delivery) {
    Delivery last = lastUnderKey.put(delivery.key(), delivery);
    if (last == null) {
      return;
    }
    assertEquals(last.path(), delivery.path(), () -> "call under " + delivery.key());
    assertTrue(
        delivery.attempt() > last.attempt(),
        () -> "expected a higher attempt than in " + last + ", found " + delivery);
  }

  /** Feeds a kernel from the log of events, which outlives the engine. */
  public PostedEvents feed(EngineLimits limits, Kernel kernel) {
    return new PostedEvents(limits, events, saved, kernel);
  }

  /** Number of times that the log was told how far a kernel has come. */
  public int saves() {
    return saved.saves();
  }

  /** Stores an emitted event, unless it was stored before. */
  public Payload emit(Effect.Invoke invoke, long nowNanos) {
    Payload event = ((EventEmission) invoke.call()).event();
    Delivery delivery =
        new Delivery(
            new CallName(invoke.id(), invoke.attempt()),
            Objects.requireNonNull(event.text("id"), "an id"),
            0,
            Objects.requireNonNull(event.text("type"), "a type"),
            json(event.member("data")),
            event,
            nowNanos);
    emit(delivery, event);
    return event;
  }

  private void emit(Delivery delivery, Payload event) {
    deliveries.add(delivery);
    Known known = calls.get(delivery.name());
    if (known != null) {
      assertEquals(json(known.first.event()), json(event), "an event that is emitted again");
    }
    Script.Answer answer = new Script.Answer(200, delivery.body());
    calls.put(
        delivery.name(),
        new Known(
            known == null ? delivery : known.first,
            delivery,
            known == null ? 1 : known.count + 1,
            answer));
    try {
      List<Payload> one = List.of(Payload.of(json(event)));
      EventReceipt receipt =
          events.append(
              "oracle", new CloudEventReader(LIMITS).read(one), epochMillis(delivery.nowNanos()));
      assertEquals(new EventReceipt.Stored(known == null ? 1 : 0, known == null ? 0 : 1), receipt);
    } catch (CloudEventReader.MalformedException e) {
      throw new AssertionError(e);
    }
  }

  /** Wall-clock time of the simulation. */
  public static long epochMillis(long nowNanos) {
    return KernelHarness.FIRST_EPOCH_MILLIS + (nowNanos - KernelHarness.FIRST_NANOS) / 1_000_000;
  }

  private void deliverAgain(Delivery delivery) {
    Payload event = delivery.event();
    if (event != null) {
      emit(delivery, event);
    } else {
      deliver(delivery);
    }
  }

  /**
   * The services as they were after a number of requests, and their log of events after it was told
   * a number of times how far the kernel had come.
   */
  public SimulatedServices after(int count, int saves) {
    SimulatedServices earlier = new SimulatedServices(definition);
    deliveries.subList(0, count).forEach(earlier::deliverAgain);
    earlier.saved.saveAgain(saved, saves);
    return earlier;
  }

  public int count() {
    return deliveries.size();
  }

  /** Received requests, in order. */
  public List<Delivery> deliveries() {
    return deliveries;
  }

  /**
   * The first delivery of each call and event, in the order of the calls, by the branch that makes
   * them.
   */
  Map<Integer, List<Delivery>> calls() {
    Map<Integer, List<Delivery>> byBranch = new HashMap<>();
    calls.values().stream()
        .map(Known::first)
        .sorted(Comparator.comparing(Delivery::name))
        .forEach(
            call ->
                byBranch
                    .computeIfAbsent(Definition.branch(call.path()), branch -> new ArrayList<>())
                    .add(call));
    return byBranch;
  }

  /** Number of deliveries of the call that was delivered most often. */
  public int mostDeliveries() {
    return calls.values().stream().mapToInt(Known::count).max().orElse(0);
  }

  /** Number of calls that were delivered more than once. */
  public int repeated() {
    return (int) calls.values().stream().filter(call -> call.count > 1).count();
  }
}
