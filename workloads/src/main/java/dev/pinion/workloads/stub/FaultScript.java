package dev.pinion.workloads.stub;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.CoercionAction;
import com.fasterxml.jackson.databind.cfg.CoercionInputShape;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.type.LogicalType;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How the services behave: how long an answer takes and which calls fail. Whether the n-th call
 * under a script fails depends on the seed and n alone, so the number of failures among n calls is
 * the same in every run, however the calls interleave.
 */
final class FaultScript {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .withCoercionConfig(
              LogicalType.Integer,
              config -> config.setCoercion(CoercionInputShape.String, CoercionAction.Fail))
          .withCoercionConfig(
              LogicalType.Float,
              config -> config.setCoercion(CoercionInputShape.String, CoercionAction.Fail))
          .build();

  private final Behaviour behaviour;
  private final AtomicLong calls = new AtomicLong();

  FaultScript(Behaviour behaviour) {
    this.behaviour = behaviour;
  }

  /** No failures, and a delay. */
  static FaultScript answering(Duration delay) {
    return new FaultScript(new Behaviour(delay.toMillis(), 500, 0, 0));
  }

  /**
   * Reads a script as {@code POST /__behaviour} takes it.
   *
   * @throws IOException with a sentence for the client when it is not one
   */
  static FaultScript parse(byte[] json, int length) throws IOException {
    return new FaultScript(JSON.readValue(json, 0, length, Behaviour.class));
  }

  Behaviour behaviour() {
    return behaviour;
  }

  long delayNanos() {
    return TimeUnit.MILLISECONDS.toNanos(behaviour.delayMs);
  }

  int failureStatus() {
    return behaviour.status;
  }

  /** Decides about the next call. */
  boolean nextCallFails() {
    if (behaviour.failureRate == 0) {
      return false;
    }
    long number = calls.getAndIncrement();
    return new SplittableRandom(behaviour.seed + number).nextDouble() < behaviour.failureRate;
  }

  /**
   * The script as data; what is left out takes its default.
   *
   * @param delayMs the time an answer takes; default 0
   * @param status status of calls that fail, 400 to 599; default 500
   * @param failureRate share of the calls that fail, 0 to 1; default 0
   * @param seed what the choice of failing calls depends on; default 0
   */
  record Behaviour(long delayMs, int status, double failureRate, long seed) {
    Behaviour {
      status = status == 0 ? 500 : status;
      if (delayMs < 0 || delayMs > StubSettings.MAX_DELAY_SECONDS * 1_000L) {
        throw new IllegalArgumentException(
            "expected delayMs from 0 to "
                + StubSettings.MAX_DELAY_SECONDS * 1_000L
                + ", found "
                + delayMs);
      }
      if (status < 400 || status > 599) {
        throw new IllegalArgumentException("expected status from 400 to 599, found " + status);
      }
      if (!(failureRate >= 0 && failureRate <= 1)) {
        throw new IllegalArgumentException(
            "expected failureRate from 0 to 1, found " + failureRate);
      }
    }
  }
}
