package dev.pinion.broker.service;

import dev.pinion.core.spi.BrokerGateway.BrokerRequest;
import dev.pinion.core.spi.BrokerGateway.BrokerResponse;
import dev.pinion.core.spi.BrokerGateway.BrokerStatus;
import dev.pinion.core.spi.BrokerGateway.Verb;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Entity tags, and conditions on them (RFC 9110 section 13.1). */
final class Preconditions {
  private static final int TAG_BYTES = 12;

  private Preconditions() {}

  /** The entity tag of a document, with quotes. */
  static String etag(String document) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(document.getBytes(StandardCharsets.UTF_8));
      return "\"" + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + "\"";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("expected SHA-256 in every Java platform", e);
    }
  }

  /**
   * The answer to a question whose conditions do not hold, or null when they do.
   *
   * @param current the stored document, or null when there is none
   */
  static @Nullable BrokerResponse refusal(BrokerRequest brokerRequest, @Nullable String current) {
    String tag = current == null ? null : etag(current);
    if (brokerRequest.ifMatch() != null && !names(brokerRequest.ifMatch(), tag)) {
      String found = tag == null ? "none" : tag;
      return BrokerResponse.problem(
          BrokerStatus.PRECONDITION_FAILED,
          "expected " + expected(brokerRequest.ifMatch()) + " (If-Match), found " + found);
    }
    if (tag == null
        || brokerRequest.ifNoneMatch() == null
        || !names(brokerRequest.ifNoneMatch(), tag)) {
      return null;
    }
    return brokerRequest.verb() == Verb.GET
        ? new BrokerResponse(BrokerStatus.UNCHANGED, tag, "", "")
        : BrokerResponse.problem(
            BrokerStatus.PRECONDITION_FAILED,
            "expected none of " + brokerRequest.ifNoneMatch() + " (If-None-Match), found " + tag);
  }

  private static String expected(String tags) {
    return tags.isBlank()
        ? "an entity tag or *, which an empty field does not name,"
        : "one of " + tags;
  }

  private static boolean names(String tags, @Nullable String tag) {
    if (tag == null) {
      return false;
    }
    for (String each : tags.split(",", -1)) {
      String named = each.strip();
      if (named.equals("*") || named.equals(tag) || named.equals("W/" + tag)) {
        return true;
      }
    }
    return false;
  }
}
