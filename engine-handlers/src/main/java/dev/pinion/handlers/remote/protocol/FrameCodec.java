package dev.pinion.handlers.remote.protocol;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import com.fasterxml.jackson.dataformat.cbor.CBORParser;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.handlers.api.Message;
import dev.pinion.handlers.api.MessageId;
import dev.pinion.handlers.api.Point;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SortedMap;
import java.util.UUID;

/**
 * Writes and reads frames. Safe for use by any thread.
 *
 * <p>The header is the same in every version: two bytes of magic, version, kind, the length of the
 * whole, the requester, the number of its attempt; big-endian. So a receiver that does not know a
 * version can still report that to the sender. The content is a sequence of CBOR values (RFC 8742).
 */
public final class FrameCodec {
  /** The version that is written, and the only one that is read from the network. */
  static final int VERSION = 2;

  /** The version before CBOR; servers and tables of effects may still store frames of it. */
  static final int VERSION_1 = 1;

  static final int LENGTH_AT = 4;
  static final int HEADER_BYTES = 32;

  private static final byte MAGIC_1 = 'P';
  private static final byte MAGIC_2 = 'H';
  private static final int CLAIM = 1;
  private static final int GRANT = 2;
  private static final int RUN = 3;
  private static final int BEGUN = 4;
  private static final int DONE = 5;
  private static final int FAILED = 6;
  private static final int BEAT = 7;

  // By their positions; further ones are added only at the ends.
  private static final List<HandlerOperation> OPERATIONS = List.of(HandlerOperation.values());
  private static final List<FailureReason> REASONS = List.of(FailureReason.values());
  private static final List<Point> POINTS = List.of(Point.values());

  private final CBORFactory cbor;
  private final RemoteLimits limits;
  private final int maxProperties;
  private final ContentCodec content;

  public FrameCodec(EngineLimits engine, RemoteLimits limits) {
    this.cbor =
        CBORFactory.builder()
            .streamReadConstraints(
                StreamReadConstraints.builder()
                    .maxNestingDepth(1)
                    .maxStringLength(limits.maxTextBytes())
                    .build())
            .build();
    this.limits = limits;
    this.maxProperties = engine.handlers().maxProperties();
    this.content = new ContentCodec(engine, limits);
  }

  /**
   * A frame as bytes.
   *
   * @throws MalformedFrameException when it cannot be written without loss, or is too large
   */
  public byte[] write(Frame frame) throws MalformedFrameException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    out.writeBytes(header(frame));
    try (JsonGenerator generator = cbor.createGenerator(out)) {
      content(new FrameWriter(generator), frame);
    } catch (IOException e) {
      throw new MalformedFrameException(
          "expected a frame that can be written, found: " + e.getMessage(), e);
    }
    byte[] bytes = out.toByteArray();
    if (bytes.length > limits.maxFrameBytes()) {
      throw tooLarge(bytes.length);
    }
    ByteBuffer.wrap(bytes).putInt(LENGTH_AT, bytes.length);
    return bytes;
  }

  private static byte[] header(Frame frame) {
    UUID requester = frame.requester();
    return ByteBuffer.allocate(HEADER_BYTES)
        .put(MAGIC_1)
        .put(MAGIC_2)
        .put((byte) VERSION)
        .put((byte) kind(frame))
        .putInt(0)
        .putLong(requester.getMostSignificantBits())
        .putLong(requester.getLeastSignificantBits())
        .putLong(frame.attempt())
        .array();
  }

  private void content(FrameWriter out, Frame frame) throws IOException, MalformedFrameException {
    switch (frame) {
      case Frame.Claim claim -> out.text(claim.kind()).text(claim.table());
      case Frame.Grant grant -> out.uuid(grant.host()).text(grant.table());
      case Frame.Run run -> {
        out.number(run.delivery()).uuids(run.lost()).number(run.budgetMillis());
        task(out, run.task());
      }
      case Frame.Begun begun -> out.uuid(begun.host());
      case Frame.Done done ->
          content.verdict(out.uuid(done.host()).number(done.nanos()), done.verdict());
      case Frame.Failed failed ->
          out.uuid(failed.host()).constant(failed.reason(), REASONS).text(failed.detail());
      case Frame.Heartbeat heartbeat -> out.uuid(heartbeat.host()).flag(heartbeat.last());
    }
  }

  private static int kind(Frame frame) {
    return switch (frame) {
      case Frame.Claim _ -> CLAIM;
      case Frame.Grant _ -> GRANT;
      case Frame.Run _ -> RUN;
      case Frame.Begun _ -> BEGUN;
      case Frame.Done _ -> DONE;
      case Frame.Failed _ -> FAILED;
      case Frame.Heartbeat _ -> BEAT;
    };
  }

  private void task(FrameWriter out, HandlerTask handlerTask)
      throws IOException, MalformedFrameException {
    Message message = handlerTask.message();
    out.constant(handlerTask.operation(), OPERATIONS)
        .text(handlerTask.chain())
        .text(handlerTask.step())
        .text(handlerTask.kind());
    out.blob(content.json(handlerTask.settings()));
    out.number(message.id().high()).number(message.id().low()).constant(message.point(), POINTS);
    content.texts(out, message.properties());
    content.body(out, message.body());
  }

  /**
   * Reads a frame.
   *
   * @throws UnknownFrameVersionException when it is of another version
   * @throws MalformedFrameException when the bytes are not a frame, or exceed a limit
   */
  public Frame read(byte[] bytes) throws MalformedFrameException {
    return read(bytes, VERSION);
  }

  /**
   * Reads a frame that a server or a table has stored, perhaps since an earlier release.
   *
   * @throws UnknownFrameVersionException when its version is neither the current one nor version 1
   * @throws MalformedFrameException when the bytes are not a frame, or exceed a limit
   */
  public Frame readStored(byte[] bytes) throws MalformedFrameException {
    return read(bytes, VERSION_1);
  }

  private Frame read(byte[] bytes, int oldestVersion) throws MalformedFrameException {
    if (bytes.length > limits.maxFrameBytes()) {
      throw tooLarge(bytes.length);
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    if (bytes.length < HEADER_BYTES || in.get() != MAGIC_1 || in.get() != MAGIC_2) {
      throw new MalformedFrameException(
          "expected a frame, which begins with PH, found something else");
    }
    int version = Byte.toUnsignedInt(in.get());
    int kind = Byte.toUnsignedInt(in.get());
    int length = in.getInt();
    UUID requester = new UUID(in.getLong(), in.getLong());
    long attempt = in.getLong();
    if (version < oldestVersion || version > VERSION) {
      throw new UnknownFrameVersionException(VERSION, version, requester, attempt);
    }
    if (length != bytes.length) {
      throw new MalformedFrameException(
          "expected a frame of " + length + " bytes, found " + bytes.length);
    }
    if (version == VERSION_1) {
      return whole(kind, requester, attempt, new Version1Reader(in, limits.maxTextBytes()));
    }
    try (CBORParser parser = cbor.createParser(bytes, HEADER_BYTES, length - HEADER_BYTES)) {
      FrameReader content = new FrameReader(parser, limits.maxTextBytes(), length);
      return whole(kind, requester, attempt, content);
    } catch (IOException e) {
      throw new MalformedFrameException("expected CBOR, found: " + e.getMessage(), e);
    }
  }

  private Frame whole(int kind, UUID requester, long attempt, FrameInput in)
      throws MalformedFrameException {
    try {
      Frame frame = frame(kind, requester, attempt, in);
      in.end();
      return frame;
    } catch (IllegalArgumentException | PayloadSyntaxException e) {
      throw new MalformedFrameException("expected a sound frame, found: " + e.getMessage(), e);
    }
  }

  private Frame frame(int kind, UUID requester, long attempt, FrameInput in)
      throws MalformedFrameException, PayloadSyntaxException {
    return switch (kind) {
      case CLAIM -> new Frame.Claim(requester, attempt, in.text(), in.text());
      case GRANT -> new Frame.Grant(requester, attempt, in.uuid(), in.text());
      case RUN ->
          new Frame.Run(
              requester,
              attempt,
              in.i32(),
              in.uuids(RemoteLimits.MOST_LOST_HOSTS),
              in.i32(),
              task(in));
      case BEGUN -> new Frame.Begun(requester, attempt, in.uuid());
      case DONE -> new Frame.Done(requester, attempt, in.uuid(), in.i64(), content.verdict(in));
      case FAILED ->
          new Frame.Failed(requester, attempt, in.uuid(), in.constant(REASONS), in.text());
      case BEAT -> new Frame.Heartbeat(in.uuid(), in.flag());
      default ->
          throw new MalformedFrameException(
              "expected a frame of kind 1 to " + BEAT + ", found " + kind);
    };
  }

  private HandlerTask task(FrameInput in) throws MalformedFrameException, PayloadSyntaxException {
    HandlerOperation handlerOperation = in.constant(OPERATIONS);
    String chain = in.text();
    String step = in.text();
    String kind = in.text();
    var settings = content.json(in.blob());
    MessageId id = new MessageId(in.i64(), in.i64());
    Point point = in.constant(POINTS);
    SortedMap<String, String> properties = content.texts(in, maxProperties);
    Message message = new Message(id, point, properties, content.body(in));
    return new HandlerTask(handlerOperation, chain, step, kind, settings, message);
  }

  private MalformedFrameException tooLarge(int found) {
    return new MalformedFrameException(
        "expected a frame of at most "
            + limits.maxFrameBytes()
            + " bytes (handlers.remote.maxFrameBytes), found "
            + found);
  }
}
