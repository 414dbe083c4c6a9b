package dev.pinion.handlers.builtin.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.OctetSequenceKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.pinion.core.model.Payload;
import dev.pinion.handlers.api.Handler;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.builtin.HandlerTrial;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accepted tokens, and the many reasons to refuse one. */
@SuppressWarnings("JavaUtilDate") // required by the library
class JwtTest {
  private static final String ALL = "[\"HS256\", \"RS256\", \"ES256\"]";
  private static final String TERMS =
      ", \"issuer\": \"https://issuer.example\", \"audience\": \"pinion\"";
  private static RSAKey rsa;
  private static ECKey ec;
  private static OctetSequenceKey secret;

  @TempDir Path folder;
  private final HandlerTrial.Hands clock = new HandlerTrial.Hands();
  private Handler handler;

  @BeforeAll
  static void makeKeys() throws Exception {
    rsa = new RSAKeyGenerator(2048).keyID("r").generate();
    ec = new ECKeyGenerator(Curve.P_256).keyID("e").generate();
    secret = new OctetSequenceKeyGenerator(256).keyID("s").generate();
  }

  @BeforeEach
  void open() throws Exception {
    JWKSet keys = new JWKSet(List.of(rsa.toPublicJWK(), ec.toPublicJWK(), secret));
    handler = handler(keys.toString(false), ALL);
  }

  @AfterEach
  void close() {
    handler.close();
  }

  private Handler handler(String keys, String algorithms) throws Exception {
    Path file = Files.writeString(folder.resolve("keys.json"), keys);
    return HandlerTrial.handler(
        new JwtFactory(clock),
        "{\"algorithms\": "
            + algorithms
            + TERMS
            + ", \"jwks\": {\"file\": "
            + Payload.of(file.toString())
            + "}}");
  }

  private JWTClaimsSet.Builder claims() {
    return new JWTClaimsSet.Builder()
        .issuer("https://issuer.example")
        .audience("pinion")
        .subject("alice")
        .claim("scope", "read write")
        .expirationTime(inSeconds(60));
  }

  private Date inSeconds(long seconds) {
    return new Date(clock.epochMillis() + 1000 * seconds);
  }

  private static String signed(
      JWSAlgorithm algorithm, String id, JWSSigner signer, JWTClaimsSet claims) throws Exception {
    SignedJWT token = new SignedJWT(new JWSHeader.Builder(algorithm).keyID(id).build(), claims);
    token.sign(signer);
    return token.serialize();
  }

  private static String signed(JWTClaimsSet claims) throws Exception {
    return signed(JWSAlgorithm.ES256, "e", new ECDSASigner(ec), claims);
  }

  private static Message with(String token) {
    return HandlerTrial.message(Map.of("header.authorization", "Bearer " + token));
  }

  private void refuses(String token) throws Exception {
    String stopped = HandlerTrial.stopped(handler, with(token));
    assertTrue(
        stopped.startsWith("401 {www-authenticate=Bearer error=\"invalid_token\"}"), stopped);
  }

  @Test
  void shouldAcceptEachAlgorithm() throws Exception {
    JWTClaimsSet claims = claims().build();
    for (String token :
        List.of(
            signed(JWSAlgorithm.RS256, "r", new RSASSASigner(rsa), claims),
            signed(JWSAlgorithm.HS256, "s", new MACSigner(secret), claims),
            signed(claims))) {
      Message after = HandlerTrial.after(handler, with(token));
      assertEquals("alice", after.properties().get("auth.subject"));
      assertEquals("read write", after.properties().get("auth.scope"));
    }
  }

  @Test
  void shouldRefuseTokensThatNobodySigned() throws Exception {
    refuses(new PlainJWT(claims().build()).serialize());
    String good = signed(claims().build());
    refuses(good.substring(0, good.lastIndexOf('.') + 1));
    refuses(good.substring(0, good.lastIndexOf('.')));
  }

  @Test
  void shouldRefuseASecretMadeOfAPublicKey() throws Exception {
    byte[] known = rsa.toRSAPublicKey().getEncoded();
    refuses(signed(JWSAlgorithm.HS256, "r", new MACSigner(known), claims().build()));
  }

  @Test
  void shouldRefuseOtherKeysAndAlgorithms() throws Exception {
    ECKey other = new ECKeyGenerator(Curve.P_256).keyID("e").generate();
    JWTClaimsSet claims = claims().build();
    refuses(signed(JWSAlgorithm.ES256, "e", new ECDSASigner(other), claims));
    refuses(signed(JWSAlgorithm.RS512, "r", new RSASSASigner(rsa), claims));
    refuses(signed(JWSAlgorithm.ES256, "unknown", new ECDSASigner(ec), claims));
  }

  @Test
  void shouldNotTakeKeysFromTheToken() throws Exception {
    ECKey own = new ECKeyGenerator(Curve.P_256).generate();
    JWSHeader header = new JWSHeader.Builder(JWSAlgorithm.ES256).jwk(own.toPublicJWK()).build();
    SignedJWT token = new SignedJWT(header, claims().build());
    token.sign(new ECDSASigner(own));
    refuses(token.serialize());
  }

  @Test
  void shouldHoldTimesWithLeeway() throws Exception {
    String token = signed(claims().notBeforeTime(inSeconds(20)).build());
    HandlerTrial.after(handler, with(token));
    clock.advance(89_000);
    HandlerTrial.after(handler, with(token));
    clock.advance(2_000);
    refuses(token);
    refuses(signed(claims().notBeforeTime(inSeconds(40)).build()));
  }

  @Test
  void shouldAskForIssuerAudienceSubjectAndExpiry() throws Exception {
    refuses(signed(claims().issuer("https://other.example").build()));
    refuses(signed(claims().audience("other").build()));
    refuses(signed(claims().subject(null).build()));
    refuses(signed(claims().expirationTime(null).build()));
    refuses(signed(claims().audience((String) null).build()));
  }

  @Test
  void shouldRefuseWhatIsNoToken() throws Exception {
    refuses("");
    refuses("a.b.c");
    refuses(".".repeat(8 << 10));
    String deep = "[".repeat(6_000);
    refuses(
        Base64.getUrlEncoder().encodeToString(deep.getBytes(StandardCharsets.UTF_8)) + ".e30.AA");
    String long1 = HandlerTrial.stopped(handler, with("x".repeat((8 << 10) + 1)));
    assertTrue(long1.contains("more than 8192 characters"), long1);
    String basic =
        HandlerTrial.stopped(
            handler, HandlerTrial.message(Map.of("header.authorization", "Basic eDp5")));
    assertTrue(basic.startsWith("401 {www-authenticate=Bearer}"), basic);
  }

  @Test
  void shouldSayWhatIsWrongWithSettings() throws Exception {
    Path file = Files.writeString(folder.resolve("bad.json"), "{\"keys\": []}");
    String problems =
        HandlerTrial.problems(
            new JwtFactory(clock),
            "{\"algorithms\": [\"none\"], \"leeway\": \"PT1H\", \"jwks\": {\"file\": "
                + Payload.of(file.toString())
                + "}}");
    for (String each :
        List.of(
            "/settings/algorithms: expected some of [HS256, RS256, ES256], found \"none\"",
            "the setting \"issuer\"",
            "the setting \"audience\"",
            "/settings/leeway",
            "/settings/jwks/file: expected a usable file")) {
      assertTrue(problems.contains(each), each + " in " + problems);
    }
  }
}
