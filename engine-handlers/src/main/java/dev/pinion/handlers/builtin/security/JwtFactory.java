package dev.pinion.handlers.builtin.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.JWTClaimsSet;
import dev.pinion.core.model.Clock;
import dev.pinion.handlers.api.Changes;
import dev.pinion.handlers.api.Declaration;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.HandlerFactory;
import dev.pinion.handlers.api.Settings;
import dev.pinion.handlers.api.Slot;
import dev.pinion.handlers.api.Verdict;
import dev.pinion.handlers.api.View;
import dev.pinion.handlers.api.Work;
import dev.pinion.handlers.builtin.FileSnapshot;
import dev.pinion.handlers.builtin.HandlerProblem;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts messages with a signed token (RFC 7519) as bearer (RFC 6750), and sets its subject in
 * {@code auth.subject}. Algorithms are those in the settings, never those requested by a token.
 */
public final class JwtFactory implements HandlerFactory {
  private static final int MAX_FILE_BYTES = 1 << 20;
  private static final int MAX_KEYS = 100;
  private static final Duration MAX_LEEWAY = Duration.ofMinutes(5);
  private static final List<String> ALGORITHMS = List.of("HS256", "RS256", "ES256");

  private final Clock clock;

  /** For the service loader. */
  public JwtFactory() {
    this(Clock.system());
  }

  JwtFactory(Clock clock) {
    this.clock = clock;
  }

  @Override
  public String name() {
    return "jwt";
  }

  @Override
  public String summary() {
    return "Lets messages through that carry a token (JWT) signed by a known key.";
  }

  @Override
  public Handler create(Settings settings) {
    int maxChars = settings.integer("maxTokenChars", 8 << 10, 100, 16 << 10);
    Set<JWSAlgorithm> algorithms = algorithms(settings);
    String issuer = settings.text("issuer");
    String audience = settings.text("audience");
    Duration leeway = settings.duration("leeway", Duration.ofSeconds(30), MAX_LEEWAY);
    FileSnapshot<JWKSet> keys =
        FileSnapshot.opened(settings.group("jwks"), MAX_FILE_BYTES, JwtFactory::parse);
    return new Jwt(
        new JwtVerifier(keys::content, algorithms, issuer, audience, leeway, clock),
        keys,
        maxChars);
  }

  private static Set<JWSAlgorithm> algorithms(Settings settings) {
    List<String> named = settings.texts("algorithms");
    Set<JWSAlgorithm> algorithms = new LinkedHashSet<>();
    for (String name : named) {
      if (!ALGORITHMS.contains(name)) {
        settings.problem(
            "algorithms", "expected some of " + ALGORITHMS + ", found \"" + name + "\"");
      }
      algorithms.add(JWSAlgorithm.parse(name));
    }
    if (algorithms.isEmpty()) {
      settings.problem("algorithms", "expected some of " + ALGORITHMS + ", found none");
    }
    return algorithms;
  }

  private static JWKSet parse(byte[] file) {
    try {
      JWKSet keys = JWKSet.parse(new String(file, StandardCharsets.UTF_8));
      if (keys.isEmpty() || keys.size() > MAX_KEYS) {
        throw new IllegalArgumentException(
            "expected from 1 to " + MAX_KEYS + " keys, found " + keys.size());
      }
      return keys;
    } catch (ParseException e) {
      throw new IllegalArgumentException("expected a JSON Web Key Set (RFC 7517), found else", e);
    }
  }

  private record Jwt(JwtVerifier check, FileSnapshot<JWKSet> keys, int maxChars)
      implements Handler {
    private static final Logger LOG = LoggerFactory.getLogger(JwtFactory.class);
    private static final String HEADER = "header.authorization";
    private static final String SCHEME = "bearer ";

    @Override
    public Declaration declaration() {
      return Declaration.NOTHING
          .reading(Slot.property(HEADER))
          .writing(Slot.property("auth.subject"), Slot.property("auth.scope"))
          .stopping()
          .mandatory()
          .with(Work.CPU);
    }

    @Override
    public Verdict handle(View message) throws JOSEException {
      String field = message.property(HEADER, "");
      if (!field.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
        return refusal("none", "Bearer");
      }
      String token = field.substring(SCHEME.length()).strip();
      if (token.length() > maxChars) {
        return refusal(
            "one of more than " + maxChars + " characters", "Bearer error=\"invalid_token\"");
      }
      try {
        return Verdict.goOn(changes(check.claims(token)));
      } catch (BadJOSEException | ParseException | IllegalArgumentException e) {
        LOG.debug("the token of the message {} is refused", message.id(), e);
        return refusal("one that is not accepted", "Bearer error=\"invalid_token\"");
      }
    }

    private static Changes changes(JWTClaimsSet claims) {
      Changes changes = Changes.NONE.property("auth.subject", claims.getSubject());
      return claims.getClaim("scope") instanceof String scope
          ? changes.property("auth.scope", scope)
          : changes.withoutProperty("auth.scope");
    }

    private static Verdict refusal(String found, String challenge) {
      return HandlerProblem.UNAUTHENTICATED.refuse(
          "expected a valid token as \"Authorization: Bearer TOKEN\", found " + found,
          "www-authenticate",
          challenge);
    }

    @Override
    public void close() {
      keys.close();
    }
  }
}
