package dev.pinion.benchmarks.bare;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;

/** Writes the requests to the services, byte for byte those of the engine's Invoker. */
final class BareRequestWriter {
  /** Number of services that calls can name. */
  static final int SERVICES = 6;

  private static final byte[] BODY_START = "{\"value\":".getBytes(US_ASCII);
  private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(US_ASCII);

  private final byte[][] heads = new byte[SERVICES + 1][];

  /**
   * A writer for one stub.
   *
   * @param host host and port of the stub, for the Host field
   * @param userAgent value of the User-Agent field
   */
  BareRequestWriter(String host, String userAgent) {
    for (int service = 1; service <= SERVICES; service++) {
      heads[service] =
          ("POST /svc/s"
                  + service
                  + " HTTP/1.1\r\nHost: "
                  + host
                  + "\r\nAccept: application/json, */*;q=0.1\r\nUser-Agent: "
                  + userAgent
                  + "\r\nContent-Type: application/json\r\nContent-Length: ")
              .getBytes(US_ASCII);
    }
  }

  /** One request, from request line to body. */
  ByteBuf request(ByteBufAllocator allocator, int service, long value) {
    byte[] head = heads[service];
    String digits = Long.toString(value);
    ByteBuf out = allocator.ioBuffer(head.length + 64);
    out.writeBytes(head);
    ByteBufUtil.writeAscii(out, Integer.toString(BODY_START.length + digits.length() + 1));
    out.writeBytes(END_OF_HEAD).writeBytes(BODY_START);
    ByteBufUtil.writeAscii(out, digits);
    return out.writeByte('}');
  }
}
