package dev.pinion.core.jq;

import static dev.pinion.core.jq.Expressions.budget;
import static dev.pinion.core.jq.Expressions.compile;
import static dev.pinion.core.jq.Expressions.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Budget;
import dev.pinion.core.model.BudgetExceededException;
import dev.pinion.core.model.Expression;
import dev.pinion.core.model.ExpressionException;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Scope;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.template.ConstantExpressions;
import dev.pinion.core.template.Durations;
import dev.pinion.core.template.ErrorTemplate;
import dev.pinion.core.template.ExpressionText;
import dev.pinion.core.template.ItemExpressions;
import dev.pinion.core.template.JsonTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplatesTest {
  private static Expression<Payload> template(String document) {
    List<String> problems = new ArrayList<>();
    Expression<Payload> template =
        new JsonTemplate(Expressions.LIMITS)
            .compile("", json(document), Set.of("context"), (at, p) -> problems.add(at + p));
    assertNotNull(template, problems::toString);
    return template;
  }

  @Test
  void shouldFillInExpressions() {
    Expression<Payload> template =
        template(
            """
            {"a": "${ .x }", "b": ["${ .y[] }", 1, "${ empty }"], "c": "no ${ .x }",
             " d/~": {"e": " ${ .x + 1 } "}}
            """);

    Payload value = template.evaluate(json("{\"x\":1,\"y\":[2,3]}"), Scope.EMPTY, budget());

    assertEquals(
        "{\"a\":1,\"b\":[2,1,null],\"c\":\"no ${ .x }\",\" d/~\":{\"e\":2}}", value.toString());
  }

  @Test
  void shouldShareWhatIsConstant() {
    Expression<Payload> constant = template("{\"a\":[1,{\"b\":2}]}");
    Expression<Payload> mixed = template("{\"a\":[1,{\"b\":2}],\"c\":\"${ . }\"}");

    assertSame(
        constant.evaluate(Payload.NULL, Scope.EMPTY, budget()),
        constant.evaluate(Payload.TRUE, Scope.EMPTY, budget()));
    assertSame(
        mixed.evaluate(Payload.NULL, Scope.EMPTY, budget()).json().get("a"),
        mixed.evaluate(Payload.TRUE, Scope.EMPTY, budget()).json().get("a"));
  }

  @Test
  void shouldLocateEveryProblemOfATemplate() {
    List<String> problems = new ArrayList<>();

    Expression<Payload> template =
        new JsonTemplate(Expressions.LIMITS)
            .compile(
                "",
                json("{\"a/b\":\"${ .x + }\",\"c\":[1,\" ${ $nope }\"]}"),
                Set.of(),
                (pointer, p) -> problems.add(pointer + " " + p.offset()));

    assertNull(template);
    assertEquals(List.of("/a~1b 8", "/c/1 4"), problems);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          '${ .a'     ~ 0 expected } at the end of a string that begins with ${, found "a"
          ' ${ .b } c' ~ 1 expected } at the end of a string that begins with ${, found "c"
          '${'        ~ 0 expected } at the end of a string that begins with ${, found nothing behind it
          '${}'       ~ 0 expected an expression within ${ }, found nothing
          """)
  void shouldRefuseTextThatBeginsLikeAnExpression(String text, String problem) {
    List<String> problems = new ArrayList<>();

    assertNull(
        new JsonTemplate(Expressions.LIMITS)
            .compile(
                "",
                Payload.object(Map.of("a", Payload.of(text))),
                Set.of(),
                (pointer, p) -> problems.add(pointer + " " + p.offset() + " " + p.message())));

    assertEquals(List.of("/a " + problem), problems);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          ${ .a }       ~ ' .a '
          ${.a}         ~ .a
          ' ${ .a } '   ~ ' .a '
          ${ "}" }      ~ ' "}" '
          """)
  void shouldRecogniseExpressions(String text, String source) {
    ExpressionText expression = ExpressionText.of(text);

    assertNotNull(expression);
    assertEquals(source, expression.source());
    assertEquals(
        source, text.substring(expression.offset(), expression.offset() + source.length()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "$", "${", "${}", "{ .a }", "a ${ .b }", "${ .b } c", "$ { .a }"})
  void shouldTakeOtherTextAsText(String text) {
    assertNull(ExpressionText.of(text));
  }

  @Test
  void shouldMakeErrors() {
    ErrorTemplate template =
        new ErrorTemplate(
            ConstantExpressions.of(Payload.of("urn:x")),
            compile(".status"),
            compile("\"for \\(.name)\""),
            null,
            compile(".missing"));

    WorkflowError error =
        template.evaluate(json("{\"status\":418,\"name\":\"tea\"}"), Scope.EMPTY, budget());

    assertEquals(new WorkflowError("urn:x", 418, "for tea", null, null), error);
  }

  @ParameterizedTest
  @ValueSource(strings = {"99", "600", "\"400\"", "400.5", "null", "[]"})
  void shouldRefuseOtherStatusOfErrors(String status) {
    Expression<Payload> type = ConstantExpressions.of(Payload.of("urn:x"));
    ErrorTemplate template = new ErrorTemplate(type, compile("."), null, null, null);

    assertThrows(
        ExpressionException.class, () -> template.evaluate(json(status), Scope.EMPTY, budget()));
  }

  @Test
  void shouldRefuseErrorsWithoutType() {
    ErrorTemplate template =
        new ErrorTemplate(
            ErrorTemplate.typeOf(compile(".")),
            ConstantExpressions.of(Payload.of(400)),
            null,
            null,
            null);

    assertThrows(
        ExpressionException.class, () -> template.evaluate(Payload.NULL, Scope.EMPTY, budget()));
    assertThrows(
        ExpressionException.class, () -> template.evaluate(Payload.of(1), Scope.EMPTY, budget()));
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0",
    "PT1S, 1000000000",
    "PT1.5S, 1500000000",
    "'PT0,25S', 250000000",
    "PT0.0000000019S, 1",
    "PT1M30S, 90000000000",
    "PT2H, 7200000000000",
    "P1D, 86400000000000",
    "P1DT1S, 86401000000000",
    "P2W, 1209600000000000",
    "P1W1D, 691200000000000",
    "PT0.5H, 1800000000000",
    "PT9223372036.854775807S, 9223372036854775807"
  })
  void shouldReadDurations(String text, long nanos) {
    assertEquals(nanos, Durations.parse(text));
    assertEquals(
        nanos, Durations.of(compile(".")).evaluate(Payload.of(text), Scope.EMPTY, budget()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "P",
        "PT",
        "P1",
        "1S",
        "PT1",
        "PTS",
        "P1S",
        "PT1D",
        "P1Y",
        "P1M",
        "-PT1S",
        "PT-1S",
        "pt1s",
        "PT1S ",
        "P1DT",
        "PT1.S",
        "PT9223372036.854775808S",
        "P999999999999999999W",
        "PT1S1M",
        "PT\u0661S"
      })
  void shouldRefuseOtherDurations(String text) {
    assertThrows(IllegalArgumentException.class, () -> Durations.parse(text));
    assertThrows(
        ExpressionException.class,
        () -> Durations.of(compile(".")).evaluate(Payload.of(text), Scope.EMPTY, budget()));
  }

  @Test
  void shouldAddUpPartsOfDurations() {
    assertEquals(93_784_005_000_000L, Durations.of(1, 2, 3, 4, 5));
    assertThrows(IllegalArgumentException.class, () -> Durations.of(0, 0, -1, 0, 0));
    assertThrows(IllegalArgumentException.class, () -> Durations.of(Long.MAX_VALUE, 0, 0, 0, 0));
    assertEquals(5L, Durations.constant(5).evaluate(Payload.NULL, Scope.EMPTY, budget()));
  }

  @Test
  void shouldListItems() {
    assertEquals(
        List.of(json("1"), json("[2]"), Payload.NULL),
        ItemExpressions.of(compile(".a"))
            .evaluate(json("{\"a\":[1,[2],null]}"), Scope.EMPTY, budget()));
    for (String other : List.of("{}", "null", "\"a\"", "1")) {
      assertThrows(
          ExpressionException.class,
          () -> ItemExpressions.of(compile(".")).evaluate(json(other), Scope.EMPTY, budget()));
    }
  }

  @Test
  void shouldPayForItems() {
    Payload many = compile("[range(1000)]").evaluate(Payload.NULL, Scope.EMPTY, budget());

    assertThrows(
        BudgetExceededException.class,
        () -> ItemExpressions.of(compile(".")).evaluate(many, Scope.EMPTY, new Budget(400)));
    assertFalse(
        ItemExpressions.of(compile(".")).evaluate(many, Scope.EMPTY, new Budget(600)).isEmpty());
    assertTrue(many.json().isArray());
  }
}
