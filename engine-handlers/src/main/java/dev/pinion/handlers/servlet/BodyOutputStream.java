package dev.pinion.handlers.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** An output stream into memory, up to a number of bytes. */
final class BodyOutputStream extends ServletOutputStream {
  private final int most;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  BodyOutputStream(int most) {
    this.most = most;
  }

  @Override
  public void write(int value) throws IOException {
    check(1);
    bytes.write(value);
  }

  @Override
  public void write(byte[] from, int offset, int length) throws IOException {
    check(length);
    bytes.write(from, offset, length);
  }

  private void check(int more) throws IOException {
    if (bytes.size() + more > most) {
      throw new IOException(
          "expected a filter that writes at most " + most + " bytes (maxBodyBytes), found more");
    }
  }

  byte[] written() {
    return bytes.toByteArray();
  }

  void reset() {
    bytes.reset();
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setWriteListener(WriteListener listener) {
    throw UnsupportedCalls.call("ServletOutputStream.setWriteListener");
  }
}
