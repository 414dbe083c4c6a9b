package dev.pinion.handlers.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;

/** An input stream over given bytes. */
final class BodyInputStream extends ServletInputStream {
  private final ByteArrayInputStream bytes;

  BodyInputStream(byte[] bytes) {
    this.bytes = new ByteArrayInputStream(bytes);
  }

  @Override
  public int read() {
    return bytes.read();
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    return bytes.read(into, offset, length);
  }

  @Override
  public boolean isFinished() {
    return bytes.available() == 0;
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void setReadListener(ReadListener listener) {
    throw UnsupportedCalls.call("ServletInputStream.setReadListener");
  }
}
