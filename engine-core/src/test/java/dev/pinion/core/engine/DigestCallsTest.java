package dev.pinion.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.loop.IdleStrategy;
import dev.pinion.core.loop.Transport;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceState;
import dev.pinion.core.model.instance.InstanceView;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Digest authentication through a whole engine, with a service that checks it. */
class DigestCallsTest {
  private static final int MANY = 1_000;

  private ProtectedServer server;
  private EngineDriver driver;

  @BeforeEach
  void open() throws IOException {
    server = new ProtectedServer();
    driver =
        EngineDriver.open("fused:1", Transport.best(), IdleStrategy.PARK, EngineLimits.defaults());
  }

  @AfterEach
  void close() {
    driver.close();
    server.close();
  }

  /** Posts a body to the service as often as said, one call after the other. */
  private InstanceView run(String password, int calls) throws Exception {
    String yaml =
        """
        document: {dsl: 1.0.3, namespace: test, name: digest, version: 1.0.0}
        do:
          - all:
              for: {in: '${ [range(%s)] }'}
              do:
                - ask:
                    call: http
                    with:
                      method: post
                      endpoint:
                        uri: SERVER/a/b
                        authentication: {digest: {username: ann, password: %s}}
                      query: {x: 'y z'}
                      body: {text: ä}
                      output: response
        """
            .formatted(calls, password)
            .replace("SERVER", server.base());
    return driver.run(yaml, Payload.NULL, request -> TestService.Answer.ok("{}"));
  }

  @ParameterizedTest
  @CsvSource({
    "MD5, auth",
    "MD5, auth-int",
    "MD5, ''",
    "MD5-sess, auth",
    "SHA-256, auth",
    "SHA-256, auth-int",
    "SHA-256-sess, 'auth,auth-int'",
    "SHA-256-sess, auth-int"
  })
  void shouldAnswerTheChallengeOfAService(String algorithm, String qop) throws Exception {
    server.serving(new DigestServer(algorithm, qop, MANY));

    InstanceView view = run("s3cret", 3);

    assertEquals(InstanceState.COMPLETED, view.state(), () -> String.valueOf(view.error()));
    assertEquals(4, server.requests().size(), "one challenge, then its nonce is used");
    Payload shown = Objects.requireNonNull(view.output()).member("request");
    assertEquals(
        "***",
        Objects.requireNonNull(Objects.requireNonNull(shown).member("headers"))
            .text("Authorization"));
  }

  @Test
  void shouldAskAgainWhenANonceIsStale() throws Exception {
    server.serving(new DigestServer("SHA-256", "auth", 2));

    InstanceView view = run("s3cret", 5);

    assertEquals(InstanceState.COMPLETED, view.state(), () -> String.valueOf(view.error()));
    assertEquals(8, server.requests().size(), "five calls, one challenge, two stale nonces");
  }

  @Test
  void shouldGiveUpWithAWrongPassword() throws Exception {
    server.serving(new DigestServer("SHA-256", "auth", MANY));

    InstanceView view = run("wr0ng-canary", 1);

    assertEquals(401, Objects.requireNonNull(view.error()).status());
    assertEquals(2, server.requests().size());
    assertFalse(String.valueOf(view.error()).contains("canary"));
  }

  @Test
  void shouldLetA401WithoutAChallengeStand() throws Exception {
    server.serving(request -> ProtectedServer.Answer.of(401, "{}"));

    InstanceView view = run("s3cret", 1);

    assertEquals(401, Objects.requireNonNull(view.error()).status());
    assertEquals(1, server.requests().size());
  }
}
