package dev.pinion.workloads.stub;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Behaviour of the services: response times, failing calls, capacity and stalls. The failure and
 * the service time of the n-th call under a script depend on the seed and n alone, so the failures
 * and service times of n calls are the same in every run, however the calls interleave.
 */
final class StubBehaviour {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .withCoercionConfig(
              LogicalType.Integer,
              config -> config.setCoercion(CoercionInputShape.String, CoercionAction.Fail))
          .withCoercionConfig(
              LogicalType.Float,
              config -> config.setCoercion(CoercionInputShape.String, CoercionAction.Fail))
          .build();

  /** Status of calls that exceed the queue. */
  static final int FULL_STATUS = 503;

  private final Behaviour behaviour;
  private final @Nullable ServiceStation serviceStation;
  private final long startNanos;
  private final AtomicLong calls = new AtomicLong();

  /** A script that starts now. */
  StubBehaviour(Behaviour behaviour, long nowNanos) {
    this.behaviour = behaviour;
    this.serviceStation =
        behaviour.capacity == 0 ? null : new ServiceStation(behaviour.capacity, behaviour.queue);
    this.startNanos = nowNanos;
  }

  /**
   * Outcome of a call.
   *
   * @param status 200, or the status it fails with
   * @param delayNanos delay of its response
   */
  record Outcome(int status, long delayNanos) {
    boolean fails() {
      return status != 200;
    }
  }

  /** No failures, and a delay. */
  static StubBehaviour answering(Duration delay) {
    return new StubBehaviour(Behaviour.answering(delay.toMillis()), 0);
  }

  /**
   * Reads a script in the format of {@code POST /__behaviour}.
   *
   * @throws IOException with a sentence for the client when it is invalid
   */
  static StubBehaviour parse(byte[] json, int length, long nowNanos) throws IOException {
    Behaviour behaviour;
    try {
      behaviour = JSON.readValue(json, 0, length, Behaviour.class);
    } catch (JsonProcessingException e) {
      throw new IOException(sentence(e), e);
    }
    if (behaviour == null) {
      throw new IOException("expected an object with members of a behaviour, found null");
    }
    return new StubBehaviour(behaviour, nowNanos);
  }

  /** The fault, in terms of the script: messages of the parser contain names of classes. */
  private static String sentence(JsonProcessingException wrong) {
    return switch (wrong) {
      case UnrecognizedPropertyException e ->
          "expected members "
              + new TreeSet<>(Objects.requireNonNull(e.getKnownPropertyIds()))
              + ", found "
              + member(e);
      case ValueInstantiationException e when e.getCause() instanceof IllegalArgumentException c ->
          (e.getPath().isEmpty() ? "" : member(e) + ": ") + c.getMessage();
      case MismatchedInputException e when e.getPath().isEmpty() ->
          "expected an object with members of a behaviour, found something else";
      case MismatchedInputException e ->
          "expected " + member(e) + " as " + kindOf(e.getTargetType()) + ", found something else";
      default ->
          "expected JSON with each member once, found none in line "
              + wrong.getLocation().getLineNr()
              + ", column "
              + wrong.getLocation().getColumnNr();
    };
  }

  private static String kindOf(@Nullable Class<?> type) {
    if (type == LatencyModel.class) {
      return "an object";
    }
    return type == LatencyModel.Kind.class
        ? "one of " + Arrays.toString(LatencyModel.Kind.values())
        : "a number in its range";
  }

  private static String member(JsonMappingException wrong) {
    return wrong.getPath().stream()
        .map(each -> String.valueOf(each.getFieldName()))
        .collect(Collectors.joining("."));
  }

  Behaviour behaviour() {
    return behaviour;
  }

  /** Decides about the next call, which arrives now. */
  Outcome nextCall(long nowNanos) {
    if (behaviour.isPlain()) {
      return new Outcome(200, TimeUnit.MILLISECONDS.toNanos(behaviour.delayMs));
    }
    SplittableRandom random = new SplittableRandom(behaviour.seed + calls.getAndIncrement());
    boolean fails = random.nextDouble() < behaviour.failureRate;
    long serviceNanos = behaviour.serviceTime().nextNanos(random);
    long doneNanos =
        serviceStation == null
            ? serviceNanos
            : serviceStation.doneAfterNanos(nowNanos, serviceNanos);
    if (doneNanos == ServiceStation.REFUSED) {
      return new Outcome(FULL_STATUS, stalled(nowNanos, 0));
    }
    return new Outcome(fails ? behaviour.status : 200, stalled(nowNanos, doneNanos));
  }

  /** A response that is due within a stall is sent at its end. */
  private long stalled(long nowNanos, long delayNanos) {
    if (behaviour.stallForMs == 0) {
      return delayNanos;
    }
    long everyNanos = TimeUnit.MILLISECONDS.toNanos(behaviour.stallEveryMs);
    long forNanos = TimeUnit.MILLISECONDS.toNanos(behaviour.stallForMs);
    long dueNanos = nowNanos - startNanos + delayNanos;
    long intoNanos = Math.floorMod(dueNanos, everyNanos) - (everyNanos - forNanos);
    return intoNanos < 0 ? delayNanos : delayNanos + forNanos - intoNanos;
  }

  /**
   * The script as data; omitted members have their defaults.
   *
   * @param delayMs response time; default 0; not together with {@code latency}
   * @param status status of calls that fail, 400 to 599; default 500
   * @param failureRate share of the calls that fail, 0 to 1; default 0
   * @param seed seed of failing calls and service times; default 0
   * @param latency the distribution of service times; default {@code delayMs} for all
   * @param capacity concurrently served calls, up to {@value #MAX_CAPACITY}; further ones wait; 0,
   *     the default, for any number
   * @param queue calls that may wait, up to {@value #MAX_QUEUE}; further ones are answered 503
   * @param stallEveryMs time from the end of a stall to the end of the next; default 0
   * @param stallForMs duration of a stall, below {@code stallEveryMs}; default 0
   */
  record Behaviour(
      long delayMs,
      int status,
      double failureRate,
      long seed,
      @Nullable LatencyModel latency,
      int capacity,
      int queue,
      long stallEveryMs,
      long stallForMs) {
    /** Most concurrently served calls. */
    static final int MAX_CAPACITY = 100_000;

    /** Most calls that may wait. */
    static final int MAX_QUEUE = 1_000_000;

    private static final long MAX_MILLIS = StubSettings.MAX_DELAY_SECONDS * 1_000L;

    Behaviour {
      status = status == 0 ? 500 : status;
      expectWith(latency == null || delayMs == 0, "delayMs without latency", delayMs);
      expect("delayMs", delayMs, 0, MAX_MILLIS);
      expect("status", status, 400, 599);
      if (!(failureRate >= 0 && failureRate <= 1)) {
        throw new IllegalArgumentException(
            "expected failureRate from 0 to 1, found " + failureRate);
      }
      expect("capacity", capacity, 0, MAX_CAPACITY);
      expectWith(capacity > 0 || queue == 0, "queue with a capacity", queue);
      expect("queue", queue, 0, MAX_QUEUE);
      expect("stallEveryMs", stallEveryMs, 0, MAX_MILLIS);
      expectWith(stallEveryMs > 0 || stallForMs == 0, "stallForMs with stallEveryMs", stallForMs);
      expect("stallForMs", stallForMs, 0, Math.max(0, stallEveryMs - 1));
    }

    private static void expectWith(boolean holds, String expected, long found) {
      if (!holds) {
        throw new IllegalArgumentException("expected " + expected + " only, found " + found);
      }
    }

    static Behaviour answering(long delayMs) {
      return new Behaviour(delayMs, 0, 0, 0, null, 0, 0, 0, 0);
    }

    /** Whether all calls have the same outcome, so that nothing need be drawn or computed. */
    @JsonIgnore
    boolean isPlain() {
      return latency == null && failureRate == 0 && capacity == 0 && stallForMs == 0;
    }

    LatencyModel serviceTime() {
      return latency == null ? LatencyModel.constant((double) delayMs) : latency;
    }

    private static void expect(String name, long found, long least, long most) {
      if (found < least || found > most) {
        throw new IllegalArgumentException(
            "expected " + name + " from " + least + " to " + most + ", found " + found);
      }
    }
  }
}
