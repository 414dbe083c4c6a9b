package dev.pinion.core.model.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.model.Payload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with parts that need secrets. */
class SecretPartsTest {
  private static final Payload INPUT = Payload.of("input");
  private static final Payload CONTEXT = Payload.of("context");
  private static final Payload BODY = Payload.of("body");
  private static final AuthenticationPolicy POLICY =
      new AuthenticationPolicy(AuthenticationScheme.BEARER, null, Payload.of("canary"));

  private static HttpCall call(SecretParts parts) {
    return new HttpCall(
        "GET",
        "http://a.b/canary",
        List.of(new HttpCall.HeaderField("X", "canary")),
        BODY,
        HttpCall.Output.CONTENT,
        false,
        parts);
  }

  private static SecretParts.Pending pending() {
    Map<String, Payload> variables = new LinkedHashMap<>();
    variables.put("context", CONTEXT);
    variables.put("task", INPUT);
    return new SecretParts.Pending(POLICY, DeferredExpressions.NONE, INPUT, variables);
  }

  @Test
  void shouldVisitItsValuesInOrder() {
    List<Payload> seen = new ArrayList<>();

    HttpCall other =
        call(pending())
            .withValues(
                value -> {
                  seen.add(value);
                  return Payload.NULL;
                });

    assertEquals(List.of(BODY, INPUT, CONTEXT, INPUT), seen);
    assertEquals(Payload.NULL, other.body());
    SecretParts.Pending changed = other.pending();
    assertEquals(
        new SecretParts.Pending(
            POLICY,
            DeferredExpressions.NONE,
            Payload.NULL,
            Map.of("context", Payload.NULL, "task", Payload.NULL)),
        changed);
  }

  @Test
  void shouldKeepACallWithoutValuesAsItIs() {
    HttpCall plain =
        new HttpCall("GET", "http://a.b/", List.of(), null, HttpCall.Output.RAW, false);

    assertSame(plain, plain.withValues(value -> Payload.NULL));
    assertEquals(0, plain.heapBytes());
    assertNull(plain.pending());
  }

  @Test
  void shouldCountTheValuesThatItKeeps() {
    long bytes = BODY.heapBytes() + 2L * INPUT.heapBytes() + CONTEXT.heapBytes();

    assertEquals(bytes + Payload.of("canary").heapBytes(), call(pending()).heapBytes());
  }

  @Test
  void shouldKeepItsPartsInCopies() {
    HttpCall call = call(pending());

    assertEquals(call.pending(), call.withHeaders(List.of()).pending());
    assertEquals(call.pending(), call.at("http://c.d/", List.of()).pending());
    assertEquals(call.pending(), call.withBody(INPUT).pending());
    assertEquals(call.pending(), call.withIdempotencyKey("k", 1).pending());
  }

  @Test
  void shouldShowNoSecrets() {
    HttpCall applied =
        call(
            new SecretParts.Applied(
                "http://a.b/{token}", Set.of("x"), SecretTexts.of(List.of("canary"))));

    assertEquals("GET http://a.b/{token}", applied.toString());
    assertEquals("secrets", SecretTexts.of(List.of("canary")).toString());
    assertEquals("bearer", POLICY.toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "the s3cr+t/€ text",
        "czNjcit0L+KCrA",
        "czNjcit0L-KCrA",
        "x=s3cr%2Bt%2F%E2%82%AC&y",
        "x=s3cr%2bt%2f%e2%82%ac&y",
        "{\"said\":\"s3cr\\u002bt\\/\\u20ac\"}",
        "<p>s3cr&#43;t&#x2F;&#8364;</p>"
      })
  void shouldFindEveryFormOfASecret(String text) {
    assertTrue(SecretTexts.of(List.of("other", "s3cr+t/€")).appearIn(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"said\": \"a\\n\\\"b\\\\&<c\"}",
        "a%0A%22b%5C%26%3Cc",
        "a%0a\\u0022b\\\\%26&lt;c",
        "a\n&quot;b\\&amp;&lt;c"
      })
  void shouldFindASecretThatIsEscaped(String text) {
    assertTrue(SecretTexts.of(List.of("a\n\"b\\&<c")).appearIn(text), text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\\",
        "%",
        "&",
        "&;",
        "&#;",
        "&#x;",
        "&#x110000;",
        "\\u12",
        "\\x",
        "100%",
        "%4",
        "%zz",
        "a & b;",
        "&unknown;"
      })
  void shouldLeaveWhatIsNoEscape(String text) {
    assertEquals(text, EscapedText.plain(text));
  }

  @Test
  void shouldFindPartsOfALongSecret() {
    String key = "canary-0815-longer-than-the-rest";
    SecretTexts texts = SecretTexts.of(List.of(key));

    assertTrue(texts.appearPartlyIn("…" + key.substring(14) + " at line 1"));
    assertTrue(texts.appearPartlyIn(key.substring(0, 18)));
    assertTrue(texts.appearPartlyIn(key));
    assertFalse(texts.appearIn(key.substring(1)));
    assertFalse(texts.appearPartlyIn(key.substring(0, 8)));
    assertFalse(SecretTexts.of(List.of("fifteen letters")).appearPartlyIn("fifteen letter"));
  }

  @Test
  void shouldNotTakeShortTextsForSecrets() {
    assertFalse(SecretTexts.of(List.of("abc", "")).appearIn("abc"));
    assertFalse(SecretTexts.NONE.appearIn("anything"));
  }

  @Test
  void shouldAddToAQuery() {
    assertEquals("http://a/b", HttpCall.withQuery("http://a/b", ""));
    assertEquals("http://a/b?x=1", HttpCall.withQuery("http://a/b", "x=1"));
    assertEquals("http://a/b?x=1", HttpCall.withQuery("http://a/b?", "x=1"));
    assertEquals("http://a/b?y=2&x=1", HttpCall.withQuery("http://a/b?y=2", "x=1"));
  }
}
