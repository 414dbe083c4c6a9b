package dev.pinion.core.authentication;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.call.AuthenticationScheme;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenResponseTest {
  private static final EngineLimits LIMITS =
      EngineLimits.defaults()
          .with(Map.of("authentication.renewAheadSeconds", 30, "authentication.tokenSeconds", 300));
  private static final TokenPolicy POLICY =
      TokenPolicy.of(
          AuthenticationScheme.OAUTH2,
          Payload.object(
              Map.of(
                  "authority", Payload.of("http://a.b"),
                  "grant", Payload.of("client_credentials"),
                  "client", Payload.object(Map.of("authentication", Payload.of("none"))))));

  @ParameterizedTest
  @CsvSource({
    "100, 70000",
    "'\"100\"', 70000",
    "50, 25000",
    "1, 500",
    "0.5, 250",
    "1e2, 70000",
    "null, 270000",
    "0, 270000",
    "-1, 270000",
    "'\"soon\"', 270000",
    "true, 270000",
    "{}, 270000",
    "1e300, 2147483617000",
    "99999999999999999999, 2147483617000"
  })
  void shouldUseATokenUntilShortlyBeforeItsEnd(String expiresIn, long millis) {
    String body = "{\"access_token\":\"t\",\"expires_in\":" + expiresIn + "}";

    AccessToken token =
        new TokenResponse(new PayloadCodec(LIMITS.json()), LIMITS.authentication())
            .token(POLICY, "POST a", null, 200, body.getBytes(StandardCharsets.UTF_8), 1_000_000);

    assertEquals(
        TimeUnit.MILLISECONDS.toNanos(millis), token.usableUntilNanos() - 1_000_000, expiresIn);
  }
}
