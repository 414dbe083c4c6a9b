package dev.pinion.core.api.instance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.pinion.core.http.message.Problem;
import dev.pinion.core.http.message.ProblemException;
import dev.pinion.core.http.message.ProblemType;
import dev.pinion.core.http.message.RequestJson;
import dev.pinion.core.limits.RequestLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.Rfc3339;
import dev.pinion.core.model.instance.Tags;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Content of a start.
 *
 * @param input input of the instance
 * @param tags the client's names for the instance
 */
public record StartBody(Payload input, Tags tags) {
  private static final int MAX_NAMED = 5;
  private static final String ORDERING_KEY = "orderingKey";
  private static final String START_AT = "startAt";
  private static final List<String> MEMBERS =
      List.of("input", "businessKey", "labels", ORDERING_KEY, START_AT);
  private static final ByteBuf QUOTED_ORDERING_KEY =
      Unpooled.unreleasableBuffer(
          Unpooled.copiedBuffer('"' + ORDERING_KEY + '"', StandardCharsets.US_ASCII));

  /**
   * Content of the body of a start: the member {@code input}, or an empty object when there is no
   * body or no such member, and the client's names for the instance.
   */
  static StartBody read(ByteBuf body, RequestJson json, RequestLimits limits)
      throws ProblemException {
    if (RequestJson.isBlank(body)) {
      return new StartBody(Payload.EMPTY_OBJECT, Tags.NONE);
    }
    JsonNode node = json.read(body).json();
    if (!node.isObject()) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected an object such as {\"input\": {}}, found "
              + node.getNodeType().name().toLowerCase(Locale.ROOT));
    }
    JsonNode input = node.get("input");
    JsonNode businessKey = node.get("businessKey");
    JsonNode labels = node.get("labels");
    JsonNode orderingKey = node.get(ORDERING_KEY);
    JsonNode startAt = node.get(START_AT);
    int tags =
        (businessKey == null ? 0 : 1)
            + (labels == null ? 0 : 1)
            + (orderingKey == null ? 0 : 1)
            + (startAt == null ? 0 : 1);
    if (node.size() > tags + (input == null ? 0 : 1)) {
      throw unknownMembers(node);
    }
    if (orderingKey != null && !mayHaveOrderingKey(body)) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected the name of the member \"orderingKey\" without escapes, found some");
    }
    return new StartBody(
        input == null ? Payload.EMPTY_OBJECT : Payload.of(input),
        tags == 0 ? Tags.NONE : tags(businessKey, labels, orderingKey, startAt, limits));
  }

  /**
   * Whether a body may hold a start with an ordering key, by its bytes alone: this decides where
   * the start goes before it is read.
   */
  static boolean mayHaveOrderingKey(ByteBuf body) {
    return ByteBufUtil.indexOf(QUOTED_ORDERING_KEY.duplicate(), body) >= 0;
  }

  private static Tags tags(
      @Nullable JsonNode businessKey,
      @Nullable JsonNode labels,
      @Nullable JsonNode orderingKey,
      @Nullable JsonNode startAt,
      RequestLimits limits)
      throws ProblemException {
    String key =
        businessKey == null
            ? null
            : word("businessKey", businessKey, limits.maxBusinessKeyChars(), "maxBusinessKeyChars");
    Map<String, String> named = labels == null ? new TreeMap<>() : labels(labels, limits);
    refuseLabel(named, Tags.ORDERING_KEY, ORDERING_KEY);
    refuseLabel(named, Tags.START_AT, START_AT);
    if (startAt != null) {
      named.put(Tags.START_AT, time(startAt).toString());
    }
    if (orderingKey != null) {
      named.put(
          Tags.ORDERING_KEY,
          word(ORDERING_KEY, orderingKey, limits.maxLabelChars(), "maxLabelChars"));
    }
    return new Tags(key, named);
  }

  private static Map<String, String> labels(JsonNode labels, RequestLimits limits)
      throws ProblemException {
    if (!labels.isObject() || labels.size() > limits.maxLabels()) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected labels to be an object with at most "
              + limits.maxLabels()
              + " members (request.maxLabels), found "
              + (labels.isObject() ? labels.size() + " members" : "no object"));
    }
    Map<String, String> named = new TreeMap<>();
    for (Map.Entry<String, JsonNode> label : labels.properties()) {
      check("the name of a label", label.getKey(), limits.maxLabelChars(), "maxLabelChars");
      String what = "the label " + Problem.quoted(label.getKey());
      named.put(
          label.getKey(), word(what, label.getValue(), limits.maxLabelChars(), "maxLabelChars"));
    }
    return named;
  }

  private static void refuseLabel(Map<String, String> named, String label, String member)
      throws ProblemException {
    if (named.containsKey(label)) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected no label " + label + ", found one; use the member \"" + member + "\"");
    }
  }

  private static Instant time(JsonNode startAt) throws ProblemException {
    String text = startAt.isTextual() ? startAt.textValue() : "";
    try {
      return Rfc3339.parse(text).truncatedTo(ChronoUnit.MILLIS);
    } catch (DateTimeException | ArithmeticException e) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected startAt to be a time with an offset such as 2026-01-31T08:00:00+01:00, found "
              + (startAt.isTextual() ? Problem.quoted(text) : "no string"));
    }
  }

  /**
   * This start with the ordering key that its definition makes of its input.
   *
   * @param key the result: a text, or a whole number as written in JSON
   * @throws ProblemException when it is something else, or the client has given another key
   */
  StartBody ordered(Payload key, RequestLimits limits) throws ProblemException {
    JsonNode made = key.json();
    String what = "the ordering key that metadata.pinion.orderingKey makes of the input";
    JsonNode text = made.isIntegralNumber() ? TextNode.valueOf(made.asText()) : made;
    String word = word(what, text, limits.maxLabelChars(), "maxLabelChars");
    String given = tags.orderingKey();
    if (given != null && !given.equals(word)) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected no member \"orderingKey\", or "
              + Problem.quoted(word)
              + ", which the definition gives, found "
              + Problem.quoted(given));
    }
    return new StartBody(input, tags.with(Tags.ORDERING_KEY, word));
  }

  private static String word(String what, JsonNode value, int most, String limit)
      throws ProblemException {
    if (!value.isTextual()) {
      throw new ProblemException(
          ProblemType.BAD_BODY, "expected " + what + " to be a string, found none");
    }
    check(what, value.textValue(), most, limit);
    return value.textValue();
  }

  /** Checks that every database can store a text and that nobody mistakes it for something else. */
  private static void check(String what, String text, int most, String limit)
      throws ProblemException {
    boolean odd =
        text.codePoints().anyMatch(c -> Character.isISOControl(c) || (c >= 0xd800 && c <= 0xdfff));
    if (text.isEmpty() || text.length() > most || odd) {
      throw new ProblemException(
          ProblemType.BAD_BODY,
          "expected "
              + what
              + " to be from 1 to "
              + most
              + " characters (request."
              + limit
              + ") without control characters, found "
              + Problem.quoted(text));
    }
  }

  private static ProblemException unknownMembers(JsonNode json) {
    List<String> unknown = new ArrayList<>();
    json.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(MEMBERS);
    List<String> named = unknown.stream().limit(MAX_NAMED).map(Problem::quoted).toList();
    String more = unknown.size() > MAX_NAMED ? " and more" : "";
    return new ProblemException(
        ProblemType.BAD_BODY,
        "expected no members but \""
            + String.join("\", \"", MEMBERS)
            + "\", found "
            + String.join(", ", named)
            + more);
  }
}
