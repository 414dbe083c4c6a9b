package dev.pinion.core.codec;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.pinion.core.limits.JsonLimits;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.cost.HeapMeter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes payloads as JSON (RFC 8259), within limits. Safe for use by any thread.
 *
 * <p>Numbers beyond the range of a double become the largest double of their sign, as jq does, so
 * that every value read can be written. Of equal keys in one object the last one wins, unless they
 * are {@linkplain #readWithoutDuplicates refused}.
 */
public final class PayloadCodec {
  private final JsonFactory factory;
  private final ObjectReader reader;
  private final ObjectReader onceReader;
  private final ObjectWriter writer;
  private final ObjectWriter escapingWriter;
  private final JsonLimits limits;
  private final int maxHeap;

  /** A codec with limits; text may be as long as the given bytes. */
  public PayloadCodec(JsonLimits limits) {
    this.limits = limits;
    this.factory =
        JsonFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(limits.maxDepth())
                    .maxNumberLength(limits.maxNumberDigits())
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .streamWriteConstraints(
                StreamWriteConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build())
            .build();
    factory.configure(JsonGenerator.Feature.AUTO_CLOSE_TARGET, false);
    JsonMapper mapper =
        JsonMapper.builder(factory)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .nodeFactory(JsonNumbers.FINITE)
            .build();
    this.reader = mapper.readerFor(JsonNode.class);
    this.onceReader = reader.with(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY);
    this.writer = mapper.writer();
    this.maxHeap = limits.maxHeapBytes();
    this.escapingWriter = writer.with(JsonWriteFeature.ESCAPE_NON_ASCII);
  }

  /** The limits of values. */
  public JsonLimits limits() {
    return limits;
  }

  /**
   * Reads one JSON value that fills a range of bytes.
   *
   * @throws PayloadSyntaxException when the bytes are invalid, or exceed a limit
   */
  public Payload read(byte[] bytes, int offset, int length) throws PayloadSyntaxException {
    try {
      return checked(reader.readTree(bytes, offset, length));
    } catch (JsonProcessingException e) {
      throw refusal(e);
    } catch (IOException e) {
      throw new PayloadSyntaxException("expected UTF-8 JSON, found " + e.getMessage());
    }
  }

  /**
   * Like {@link #readBounded}, for input of clients: each member of an object must occur once,
   * since an attacker can exploit readers that disagree about which of two counts.
   *
   * @throws PayloadSyntaxException also when a member occurs twice, with a pointer to it
   */
  public Payload readWithoutDuplicates(byte[] bytes, int offset, int length)
      throws PayloadSyntaxException {
    try {
      return checked(metered(onceReader, bytes, offset, length));
    } catch (MismatchedInputException e) {
      throw repeated(bytes, offset, length, e);
    } catch (HeapMeter.TooLarge e) {
      throw new PayloadTooLargeException(maxHeap);
    } catch (JsonProcessingException e) {
      throw refusal(e);
    } catch (IOException e) {
      throw new PayloadSyntaxException("expected UTF-8 JSON, found " + e.getMessage());
    }
  }

  private JsonNode metered(ObjectReader by, byte[] bytes, int offset, int length)
      throws IOException {
    if ((long) HeapMeter.MOST_FOR_A_BYTE * length <= maxHeap) {
      return by.readTree(bytes, offset, length);
    }
    try (JsonParser parser = by.createParser(bytes, offset, length)) {
      JsonNode json = by.readTree(new HeapMeter(parser, maxHeap));
      return json == null ? MissingNode.getInstance() : json;
    }
  }

  /**
   * Reads one JSON value from outside that fills a range of bytes, unless its tree would take more
   * of the heap than one value may.
   *
   * @throws PayloadTooLargeException when it would; no part of the tree is kept
   * @throws PayloadSyntaxException when the bytes are invalid, or exceed a limit
   */
  public Payload readBounded(byte[] bytes, int offset, int length) throws PayloadSyntaxException {
    try {
      return checked(metered(reader, bytes, offset, length));
    } catch (HeapMeter.TooLarge e) {
      throw new PayloadTooLargeException(maxHeap);
    } catch (JsonProcessingException e) {
      throw refusal(e);
    } catch (IOException e) {
      throw new PayloadSyntaxException("expected UTF-8 JSON, found " + e.getMessage());
    }
  }

  /** The tree has no pointers, so a parser finds the place again. */
  private PayloadSyntaxException repeated(
      byte[] bytes, int offset, int length, MismatchedInputException otherwise) {
    String pointer = repeatedMember(bytes, offset, length);
    return pointer == null ? refusal(otherwise) : twice(pointer);
  }

  /**
   * Checks that each member of an object occurs once, without building a value.
   *
   * @param bytes read only as far as they are JSON; invalid JSON is not an error here
   * @throws PayloadSyntaxException when a member occurs twice, with a pointer to it
   */
  public void requireOnce(byte[] bytes, int offset, int length) throws PayloadSyntaxException {
    String pointer = repeatedMember(bytes, offset, length);
    if (pointer != null) {
      throw twice(pointer);
    }
  }

  private static PayloadSyntaxException twice(String pointer) {
    return new PayloadSyntaxException(
        "expected each member of an object once, found " + pointer + " again");
  }

  /** A pointer to the first repeated member; null when there is none. */
  private @Nullable String repeatedMember(byte[] bytes, int offset, int length) {
    Deque<Set<String>> names = new ArrayDeque<>();
    try (JsonParser parser = factory.createParser(bytes, offset, length)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        if (token == JsonToken.START_OBJECT) {
          names.push(new HashSet<>());
        } else if (token == JsonToken.END_OBJECT) {
          names.pop();
        } else if (token == JsonToken.FIELD_NAME && !names.element().add(parser.currentName())) {
          return parser.getParsingContext().pathAsPointer().toString();
        }
      }
    } catch (IOException e) {
      return null; // no JSON from here on
    }
    return null;
  }

  /** Reads one JSON value that fills a stream; see {@link #read(byte[], int, int)}. */
  public Payload read(InputStream bytes) throws PayloadSyntaxException {
    try {
      return checked(reader.readTree(bytes));
    } catch (JsonProcessingException e) {
      throw refusal(e);
    } catch (IOException e) {
      throw new PayloadSyntaxException("expected UTF-8 JSON, found " + e.getMessage());
    }
  }

  /** Writes a payload as compact JSON and leaves the stream open. */
  public void write(Payload payload, OutputStream out) throws IOException {
    writer.writeValue(out, payload.json());
  }

  /**
   * A payload as compact JSON from which {@link #read(byte[], int, int)} makes the same payload: in
   * UTF-8, or all in ASCII where it contains half of a surrogate pair, which JSON allows and UTF-8
   * does not.
   */
  public byte[] toExactBytes(Payload payload) {
    try {
      return writer.writeValueAsBytes(payload.json());
    } catch (JsonProcessingException e) {
      return escaped(payload);
    }
  }

  private byte[] escaped(Payload payload) {
    try {
      return escapingWriter.writeValueAsBytes(payload.json());
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A payload as compact JSON in UTF-8. */
  public byte[] toBytes(Payload payload) {
    try {
      return writer.writeValueAsBytes(payload.json());
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Payload checked(JsonNode json) throws PayloadSyntaxException {
    if (json.isMissingNode()) {
      throw new PayloadSyntaxException("expected a JSON value, found nothing");
    }
    return Payload.of(json);
  }

  private static PayloadSyntaxException refusal(JsonProcessingException e) {
    JsonLocation at = e.getLocation();
    String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    return new PayloadSyntaxException(
        "expected JSON" + where + ", found: " + JsonNumbers.describe(e));
  }
}
