package dev.pinion.handlers.builtin.security;

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

/** Check of tokens. Safe for use by any thread. */
final class JwtVerifier {
  private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();

  /**
   * A check.
   *
   * @param keys the keys in force, read for each token
   * @param algorithms the accepted algorithms; a key fits only the one of its own kind
   * @param issuer required issuer of the token
   * @param audience required audience of the token
   * @param leeway accepted difference of clocks
   */
  JwtVerifier(
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
          @SuppressWarnings("JavaUtilDate") // required by the library
          protected Date currentTime() {
            return new Date(clock.epochMillis());
          }
        };
    claims.setMaxClockSkew(Math.toIntExact(leeway.toSeconds()));
    processor.setJWTClaimsSetVerifier(claims);
  }

  /**
   * The claims of a token.
   *
   * @throws BadJOSEException when it is not signed by a known key, is not valid now, or has another
   *     audience or issuer
   * @throws ParseException when it is not a token
   */
  JWTClaimsSet claims(String token) throws BadJOSEException, ParseException, JOSEException {
    return processor.process(token, null);
  }
}
