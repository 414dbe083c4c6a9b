package dev.pinion.benchmarks.bare;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pinion.core.model.Clock;
import dev.pinion.core.model.InstanceId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Writes the engine's response to an instance that has ended: identity, state, times and output.
 * Used by one event loop.
 */
final class BareResponseWriter {
  private static final int HEAD_BYTES = 160;

  private final Clock clock;
  private final CallPattern callPattern;
  private final ByteBuf body = Unpooled.buffer(512);
  private final TimestampFormat text = new TimestampFormat();
  private final byte[] afterId;
  private @Nullable InstanceId last;

  BareResponseWriter(Clock clock, CallPattern callPattern) {
    this.clock = clock;
    this.callPattern = callPattern;
    this.afterId =
        ("\",\"definition\":{\"namespace\":\"benchmark\",\"name\":\""
                + callPattern.workload()
                + "\",\"version\":\"1.0.0\"},\"state\":\"COMPLETED\",\"startedAt\":\"")
            .getBytes(US_ASCII);
  }

  /** An id for a request that has just arrived; it carries the time of arrival. */
  InstanceId nextId() {
    InstanceId next = InstanceId.next(clock.epochMillis(), 0, last);
    last = next;
    return next;
  }

  /** The response to a request whose calls returned these values. */
  ByteBuf ended(ByteBufAllocator allocator, InstanceId id, long[] answers) {
    body.clear();
    ascii("{\"id\":\"");
    ascii(id.toString());
    body.writeBytes(afterId);
    long endedAt = clock.epochMillis();
    text.writeIso(body, id.startedAtEpochMillis());
    ascii("\",\"endedAt\":\"");
    text.writeIso(body, endedAt);
    ascii("\",\"output\":");
    writeOutput(answers);
    body.writeByte('}');
    return message(allocator, "200 OK", text.dateField(endedAt), body);
  }

  /** A response that describes an error. */
  ByteBuf problem(ByteBufAllocator allocator, String status, String sentence) {
    String quoted = sentence.replace('"', '\'').replace('\\', '/').replaceAll("\\p{Cntrl}", " ");
    byte[] json = ("{\"detail\":\"" + quoted + "\"}").getBytes(UTF_8);
    String date = text.dateField(clock.epochMillis());
    return message(allocator, status, date, Unpooled.wrappedBuffer(json));
  }

  private static ByteBuf message(
      ByteBufAllocator allocator, String status, String date, ByteBuf body) {
    ByteBuf out = allocator.ioBuffer(HEAD_BYTES + body.readableBytes());
    ByteBufUtil.writeAscii(out, "HTTP/1.1 ");
    ByteBufUtil.writeAscii(out, status);
    ByteBufUtil.writeAscii(out, "\r\ncontent-type: application/json\r\ncontent-length: ");
    ByteBufUtil.writeAscii(out, Integer.toString(body.readableBytes()));
    ByteBufUtil.writeAscii(out, "\r\ndate: ");
    ByteBufUtil.writeAscii(out, date);
    ByteBufUtil.writeAscii(out, "\r\n\r\n");
    return out.writeBytes(body);
  }

  private void writeOutput(long[] answers) {
    if (callPattern.chained()) {
      ascii("{\"value\":");
      ascii(Long.toString(answers[answers.length - 1]));
    } else {
      ascii("{\"values\":");
      writeValues(answers);
    }
    body.writeByte('}');
  }

  private void writeValues(long[] answers) {
    long total = 0;
    for (int i = 0; i < answers.length; i++) {
      body.writeByte(i == 0 ? '[' : ',');
      ascii(Long.toString(answers[i]));
      total += answers[i];
    }
    body.writeByte(']');
    if (callPattern == CallPattern.FOR_EACH) {
      ascii(",\"total\":");
      ascii(Long.toString(total));
    }
  }

  private void ascii(String text) {
    ByteBufUtil.writeAscii(body, text);
  }
}
