package dev.pinion.bootstrap.serve;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A client with one persistent connection, which it never reopens by itself. */
final class KeptConnection implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 60_000;
  private static final String LENGTH = "content-length:";

  private final Socket socket = new Socket();
  private final InputStream in;

  /** Opens the connection. */
  KeptConnection(URI engine) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(engine.getHost(), engine.getPort()), TIMEOUT_MILLIS);
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** Sends a request and reads its response. */
  int post(String path, String json) throws IOException {
    return post(path, json, "");
  }

  /** Starts an instance without waiting for its end. */
  int postAsync(String path, String json) throws IOException {
    return post(path, json, "Prefer: respond-async\r\n");
  }

  private int post(String path, String json, String fields) throws IOException {
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    String head =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\n"
            + fields
            + "Content-Type: application/json\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    byte[] message = new byte[head.length() + body.length];
    System.arraycopy(head.getBytes(StandardCharsets.US_ASCII), 0, message, 0, head.length());
    System.arraycopy(body, 0, message, head.length(), body.length);
    socket.getOutputStream().write(message);
    return answer();
  }

  private int answer() throws IOException {
    String line = line();
    int status = Integer.parseInt(line.substring("HTTP/1.1 ".length()).substring(0, 3));
    int length = 0;
    for (line = line(); !line.isEmpty(); line = line()) {
      if (line.toLowerCase(Locale.ROOT).startsWith(LENGTH)) {
        length = Integer.parseInt(line.substring(LENGTH.length()).strip());
      }
    }
    in.skipNBytes(length);
    return status;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int each = in.read(); each != '\n'; each = in.read()) {
      if (each < 0) {
        throw new EOFException("expected an answer, found that the engine hung up");
      }
      if (each != '\r') {
        line.append((char) each);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
