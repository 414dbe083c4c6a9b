package dev.pinion.core.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.Payload;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Payloads from text and expressions from lambdas, for tests. */
public final class Values {
  public static final Expression<Payload> INPUT = (input, scope, budget) -> input;

  private static final PayloadCodec CODEC = new PayloadCodec(EngineLimits.defaults().json());

  private Values() {}

  public static Payload json(String text) {
    byte[] bytes = text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    try {
      return CODEC.read(bytes, 0, bytes.length);
    } catch (PayloadSyntaxException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  public static <T> Expression<T> constant(T value) {
    return (input, scope, budget) -> value;
  }

  public static Expression<Payload> map(UnaryOperator<Payload> function) {
    return (input, scope, budget) -> function.apply(input);
  }

  public static Expression<Boolean> test(Predicate<Payload> condition) {
    return (input, scope, budget) -> condition.test(input);
  }

  /** The input, a number, plus another. */
  public static Expression<Payload> plus(long number) {
    return map(input -> Payload.of(input.json().asLong() + number));
  }

  /** A variable; JSON null when there is none. */
  public static Expression<Payload> variable(String name) {
    return (input, scope, budget) -> {
      Payload value = scope.variable(name);
      return value == null ? Payload.NULL : value;
    };
  }

  /** The elements of the input, an array. */
  public static Expression<List<Payload>> elements() {
    return (input, scope, budget) -> elementsOf(input);
  }

  static List<Payload> elementsOf(Payload array) {
    List<Payload> items = new ArrayList<>();
    for (JsonNode item : array.json()) {
      items.add(Payload.of(item));
    }
    return items;
  }

  /** The numbers from 0 up to a bound, without it. */
  public static Expression<List<Payload>> numbers(int count) {
    return (input, scope, budget) -> {
      List<Payload> items = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        items.add(Payload.of(i));
      }
      return items;
    };
  }

  /** The same expression, costing a number of steps first. */
  public static <T> Expression<T> costing(long steps, Expression<T> expression) {
    return (input, scope, budget) -> {
      budget.charge(steps);
      return expression.evaluate(input, scope, budget);
    };
  }
}
