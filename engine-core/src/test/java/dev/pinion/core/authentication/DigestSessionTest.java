package dev.pinion.core.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.authentication.DigestSession.DigestRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Digest authentication against the examples of RFC 7616 and RFC 2617. */
class DigestSessionTest {
  private static final UserPassword MUFASA = new UserPassword("Mufasa", "Circle of Life");
  private static final String CNONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
  private static final String CHALLENGE =
      "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=%s,"
          + " nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\","
          + " opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\"";

  private static DigestChallenge challenge(String field) {
    return Objects.requireNonNull(DigestChallenge.of(List.of(field)));
  }

  private static DigestRequest get(String uri) {
    return new DigestRequest("GET", uri, () -> new byte[0]);
  }

  private static Map<String, String> fields(Authorization authorization) {
    assertEquals("Digest", authorization.scheme());
    return ChallengeParser.parameters(authorization.parameter());
  }

  @ParameterizedTest
  @CsvSource({
    "MD5, 8ca523f5e9506fed4657c9700eebdbec",
    "SHA-256, 753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
  })
  void shouldAnswerTheExamplesOfTheStandard(String algorithm, String response) {
    DigestSession session = new DigestSession(challenge(CHALLENGE.formatted(algorithm)), CNONCE);

    Map<String, String> fields = fields(session.authorization(get("/dir/index.html"), MUFASA));

    assertEquals(response, fields.get("response"));
    assertEquals("Mufasa", fields.get("username"));
    assertEquals(
        "auth 00000001 " + CNONCE,
        fields.get("qop") + " " + fields.get("nc") + " " + fields.get("cnonce"));
    assertEquals("FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", fields.get("opaque"));
  }

  @Test
  void shouldAnswerAServiceOfTheFirstStandard() {
    DigestSession session =
        new DigestSession(
            challenge(
                "Digest realm=\"testrealm@host.com\","
                    + " nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\""),
            "unused");

    Map<String, String> fields = fields(session.authorization(get("/dir/index.html"), MUFASA));

    // by the formula of RFC 2069: H(H(A1):nonce:H(A2)), with the password of RFC 2617
    assertEquals("670fd8c2df070c60b045671b8b24ff02", response("Circle Of Life", session));
    assertNull(fields.get("qop"));
    assertNull(fields.get("cnonce"));
  }

  private static String response(String password, DigestSession session) {
    return String.valueOf(
        fields(session.authorization(get("/dir/index.html"), new UserPassword("Mufasa", password)))
            .get("response"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Negotiate, Digest realm=\"r\", nonce=\"n\"",
        "Negotiate YII/c+8=, Digest realm=\"r\", nonce=\"n\"",
        "Negotiate YII== , Basic realm=\"a, b\", Digest realm=\"r\", nonce=\"n\"",
        "Digest realm=\"r\", nonce=\"n\", NTLM TlRM/A=="
      })
  void shouldFindTheChallengeBesideOthers(String field) {
    DigestChallenge challenge = challenge(field);

    assertEquals("r n", challenge.realm() + " " + challenge.nonce());
  }

  @Test
  void shouldCountTheRequestsWithOneNonce() {
    DigestSession session = new DigestSession(challenge(CHALLENGE.formatted("MD5")));

    Map<String, String> first = fields(session.authorization(get("/a"), MUFASA));
    Map<String, String> second = fields(session.authorization(get("/a"), MUFASA));

    assertEquals("00000001 00000002", first.get("nc") + " " + second.get("nc"));
    assertEquals(first.get("cnonce"), second.get("cnonce"));
    assertFalse(Objects.equals(first.get("response"), second.get("response")));
  }

  @Test
  void shouldBeginAgainWithTheNextNonce() {
    DigestSession session = new DigestSession(challenge(CHALLENGE.formatted("MD5")));

    assertSame(session, session.after(null));
    assertSame(session, session.after("qop=auth, rspauth=\"x\""));
    DigestSession next = session.after("nextnonce=\"n2\", qop=auth");

    assertEquals("n2", next.challenge().nonce());
    assertEquals("00000001", fields(next.authorization(get("/a"), MUFASA)).get("nc"));
  }

  @Test
  void shouldProtectTheBodyWhereTheServiceAsksForIt() {
    String field = "Digest realm=\"r\", nonce=\"n\", qop=\"auth-int\", algorithm=SHA-256-sess";
    DigestRequest one =
        new DigestRequest("POST", "/a", () -> "one".getBytes(StandardCharsets.UTF_8));
    DigestRequest two =
        new DigestRequest("POST", "/a", () -> "two".getBytes(StandardCharsets.UTF_8));

    Map<String, String> first =
        fields(new DigestSession(challenge(field), "c").authorization(one, MUFASA));
    Map<String, String> second =
        fields(new DigestSession(challenge(field), "c").authorization(two, MUFASA));

    assertEquals("auth-int SHA-256-sess", first.get("qop") + " " + first.get("algorithm"));
    assertFalse(Objects.equals(first.get("response"), second.get("response")));
  }

  @Test
  void shouldChooseTheStrongestChallenge() {
    DigestChallenge chosen =
        Objects.requireNonNull(
            DigestChallenge.of(
                List.of(
                    "Basic realm=\"x\", " + CHALLENGE.formatted("MD5") + ", Negotiate",
                    CHALLENGE.formatted("SHA-256"),
                    CHALLENGE.formatted("SHA-9"))));

    assertEquals(DigestAlgorithm.SHA_256, chosen.algorithm());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Basic realm=\"x\"",
        "Digest realm=\"x\"",
        "Digest nonce=\"x\"",
        "Digest realm=\"x\", nonce=\"x\", algorithm=SHA-9",
        "Digest realm=\"x\", nonce=\"x\", qop=\"other\"",
        "Digest realm=\"x\", nonce=\"x",
        "Digest =, realm",
        ",,, Digest"
      })
  void shouldFindNoChallengeWhereThereIsNone(String field) {
    assertNull(DigestChallenge.of(List.of(field)));
  }

  @Test
  void shouldReadQuotedTexts() {
    DigestChallenge read =
        challenge("digest REALM=\"a \\\"b\\\" \\\\ , c\" ,nonce = n,stale=TRUE,qop=\"auth\"");

    assertEquals("a \"b\" \\ , c", read.realm());
    assertTrue(read.isStale());
    String parameter = new DigestSession(read).authorization(get("/"), MUFASA).parameter();
    assertTrue(parameter.contains("realm=\"a \\\"b\\\" \\\\ , c\""), parameter);
  }

  @Test
  void shouldHashOrEncodeTheUser() {
    UserPassword user = new UserPassword("Jäsøn", "x");
    String plain = "Digest realm=\"r\", nonce=\"n\", qop=\"auth\"";

    assertTrue(
        new DigestSession(challenge(plain))
            .authorization(get("/"), user)
            .parameter()
            .startsWith("username*=UTF-8''J%C3%A4s%C3%B8n, "));
    Map<String, String> hashed =
        fields(
            new DigestSession(challenge(plain + ", userhash=true")).authorization(get("/"), user));
    assertEquals(
        DigestAlgorithm.MD5.hash("Jäsøn:r".getBytes(StandardCharsets.UTF_8)),
        hashed.get("username"));
    assertEquals("true", hashed.get("userhash"));
  }

  @Test
  void shouldShowNoSecrets() {
    assertEquals("Bearer", Authorization.bearer("t0ken").toString());
    assertEquals("a user and a password", MUFASA.toString());
    assertEquals("a token", new AccessToken("t0ken", null, 0).toString());
  }
}
