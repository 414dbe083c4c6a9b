package dev.pinion.core.template;

import com.fasterxml.jackson.databind.JsonNode;
import dev.pinion.core.jq.value.JqValues;
import dev.pinion.core.jq.value.JsonPrinter;
import dev.pinion.core.model.Budget;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.call.Program;
import dev.pinion.core.model.call.ProgramRun;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes runs of programs from a {@code run} task. Immutable.
 *
 * @param program makes the program
 * @param arguments makes its arguments
 * @param environment environment variables
 * @param body makes the standard input, or null for none
 * @param returns the output of the task
 * @param awaits whether the task waits for the end
 * @param secrets parts that the Invoker adds, or null for none
 */
public record ProgramRunTemplate(
    Expression<? extends Program> program,
    Expression<List<String>> arguments,
    NameValuePairs environment,
    @Nullable Expression<Payload> body,
    ProgramRun.Returns returns,
    boolean awaits,
    @Nullable ProgramSecretsTemplate secrets)
    implements Expression<ProgramRun> {
  /**
   * Renders the run.
   *
   * @throws ExpressionException when a part is not of the expected form
   */
  @Override
  public ProgramRun evaluate(Payload input, Scope scope, Budget budget) {
    Program rendered = program.evaluate(input, scope, budget);
    List<String> texts = arguments.evaluate(input, scope, budget);
    SortedMap<String, String> variables = variables(environment).evaluate(input, scope, budget);
    return new ProgramRun(
        rendered,
        texts,
        variables,
        body == null ? null : body.evaluate(input, scope, budget),
        returns,
        awaits ? null : input,
        secrets == null ? null : secrets.evaluate(input, scope, budget));
  }

  /** Environment variables of names and values. */
  public static Expression<SortedMap<String, String>> variables(NameValuePairs pairs) {
    return (input, scope, budget) -> {
      SortedMap<String, String> variables = new TreeMap<>();
      for (NameValuePairs.Entry entry : pairs.evaluate(input, scope, budget)) {
        variables.put(entry.name(), ProgramText.check(entry.value(), "environment"));
      }
      return variables;
    };
  }

  /**
   * Arguments of a program.
   *
   * @param array yields an array of strings, numbers and booleans
   * @param place text that errors about it add, by {@link ExpressionLocation}
   */
  public static Expression<List<String>> arguments(Expression<Payload> array, String place) {
    return (input, scope, budget) -> {
      JsonNode items = array.evaluate(input, scope, budget).json();
      if (!items.isArray()) {
        throw new ExpressionException(
            "expected an array as arguments of a program, found "
                + JqValues.describe(items)
                + place);
      }
      List<String> texts = new ArrayList<>(items.size());
      for (JsonNode item : items) {
        texts.add(argument(item, place, budget));
      }
      return texts;
    };
  }

  private static String argument(JsonNode item, String place, Budget budget) {
    if (item.isContainerNode() || item.isNull()) {
      throw new ExpressionException(
          "expected strings, numbers or booleans as arguments of a program, found "
              + JqValues.describe(item)
              + place);
    }
    String text = text(item);
    budget.charge(2 + text.length() / 8);
    return ProgramText.check(text, "arguments");
  }

  private static String text(JsonNode scalar) {
    return scalar.isNumber() ? JsonPrinter.number(scalar) : scalar.asText();
  }
}
