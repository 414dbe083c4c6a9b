package dev.pinion.core.authentication;

import dev.pinion.core.authentication.ChallengeParser.Challenge;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A challenge of digest authentication (RFC 7616, section 3.3).
 *
 * @param realm what the password is for
 * @param nonce number of the service
 * @param opaque text to send back, or null
 * @param algorithm hash function
 * @param qop qualities of protection that the service knows; empty for a service of RFC 2069
 * @param isStale whether only the nonce of the request was too old
 * @param hashesUser whether the user is sent as a hash
 */
public record DigestChallenge(
    String realm,
    String nonce,
    @Nullable String opaque,
    DigestAlgorithm algorithm,
    Set<String> qop,
    boolean isStale,
    boolean hashesUser) {
  /** Protection of method and URI. */
  static final String AUTH = "auth";

  /** Protection of the body, too. */
  static final String AUTH_INT = "auth-int";

  /** Copies the qualities. */
  public DigestChallenge {
    qop = Set.copyOf(qop);
  }

  /** The strongest challenge of some header fields WWW-Authenticate; null when there is none. */
  public static @Nullable DigestChallenge of(List<String> fields) {
    return fields.stream()
        .flatMap(field -> ChallengeParser.challenges(field).stream())
        .flatMap(challenge -> Stream.ofNullable(of(challenge)))
        .max(Comparator.comparing(DigestChallenge::algorithm))
        .orElse(null);
  }

  private static @Nullable DigestChallenge of(Challenge challenge) {
    Map<String, String> parameters = challenge.parameters();
    String realm = parameters.get("realm");
    String nonce = parameters.get("nonce");
    DigestAlgorithm algorithm =
        DigestAlgorithm.of(parameters.getOrDefault("algorithm", "MD5")).orElse(null);
    Set<String> qop = qualities(parameters.get("qop"));
    boolean known = qop.isEmpty() || qop.contains(AUTH) || qop.contains(AUTH_INT);
    if (!challenge.scheme().equals("digest")
        || realm == null
        || nonce == null
        || algorithm == null
        || !known) {
      return null;
    }
    return new DigestChallenge(
        realm,
        nonce,
        parameters.get("opaque"),
        algorithm,
        qop,
        "true".equalsIgnoreCase(parameters.get("stale")),
        "true".equalsIgnoreCase(parameters.get("userhash")));
  }

  private static Set<String> qualities(@Nullable String list) {
    return list == null
        ? Set.of()
        : Stream.of(list.split(",", -1))
            .map(each -> each.strip().toLowerCase(Locale.ROOT))
            .filter(each -> !each.isEmpty())
            .collect(Collectors.toSet());
  }

  /** The quality of protection to use; null for a service of RFC 2069. */
  @Nullable String chosenQop() {
    return qop.isEmpty() ? null : qop.contains(AUTH) ? AUTH : AUTH_INT;
  }

  /** The same challenge with the next nonce of the service. */
  DigestChallenge withNonce(String next) {
    return new DigestChallenge(realm, next, opaque, algorithm, qop, false, hashesUser);
  }
}
