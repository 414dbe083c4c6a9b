package dev.pinion.handlers.builtin;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.pinion.core.model.Clock;
import java.text.ParseException;
import java.time.Duration;
import java.util.Date;
import java.util.Set;
import java.util.function.Supplier;

/** Which tokens are accepted. Safe for use by any thread. */
final class JwtCheck {
  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

  /**
   * A check.
   *
   * @param keys the keys in force, asked for each token
   * @param algorithms the only ones that are accepted; a key fits the one of its own kind only
   * @param issuer who must have issued the token
   * @param audience whom it must be meant for
   * @param leeway by how much clocks may differ
   */
  JwtCheck(
      Supplier<JWKSet> keys,
      Set<JWSAlgorithm> algorithms,
      String issuer,
      String audience,
      Duration leeway,
      Clock clock) {
    processor.setJWSKeySelector(
        new JWSVerificationKeySelector<>(
            algorithms, (selector, context) -> selector.select(keys.get())));
    DefaultJWTClaimsVerifier<SecurityContext> claims =
        new DefaultJWTClaimsVerifier<>(
            audience, new JWTClaimsSet.Builder().issuer(issuer).build(), Set.of("sub", "exp")) {
          @Override
          @SuppressWarnings("JavaUtilDate") // what the library asks for
          protected Date currentTime() {
            return new Date(clock.epochMillis());
          }
        };
    claims.setMaxClockSkew(Math.toIntExact(leeway.toSeconds()));
    processor.setJWTClaimsSetVerifier(claims);
  }

  /**
   * What a token says.
   *
   * @throws BadJOSEException when it is not signed by a known key, or not for now, or not for here
   * @throws ParseException when it is none
   */
  JWTClaimsSet claims(String token) throws BadJOSEException, ParseException, JOSEException {
    return processor.process(token, null);
  }
}
