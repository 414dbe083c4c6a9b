package dev.pinion.core.api;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A client that sends given bytes exactly and reads answers one by one. */
public final class RawHttpClient implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 10_000;

  private final Socket socket = new Socket();
  private final InputStream in;

  /** An answer; header names in lower case. */
  public record HttpReply(int status, Map<String, String> headers, String body) {
    public String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  RawHttpClient(InetSocketAddress address) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(address);
    in = new BufferedInputStream(socket.getInputStream());
  }

  public RawHttpClient send(String text) throws IOException {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public RawHttpClient send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
    socket.getOutputStream().flush();
    return this;
  }

  /** Sends bytes to a server that may have closed already. */
  RawHttpClient sendWhatFits(byte[] bytes) {
    try {
      send(bytes);
    } catch (IOException e) {
      // The server has closed: the test checks its earlier answers.
      return this;
    }
    return this;
  }

  /** Sends a request with a body in UTF-8 and reads its answer. */
  public HttpReply ask(String method, String target, String fields, String body)
      throws IOException {
    send(request(method, target, fields, body.getBytes(StandardCharsets.UTF_8)));
    return read(method.equals("HEAD"));
  }

  public static byte[] request(String method, String target, String fields, byte[] body)
      throws IOException {
    String length =
        body.length == 0 && method.equals("GET") ? "" : "Content-Length: " + body.length + "\r\n";
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String head = method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + fields + length;
    bytes.write((head + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    bytes.write(body);
    return bytes.toByteArray();
  }

  public HttpReply get(String target) throws IOException {
    return ask("GET", target, "", "");
  }

  HttpReply post(String target, String json) throws IOException {
    return ask("POST", target, "Content-Type: application/json\r\n", json);
  }

  /** Sets the time-out of reading; after that the answer counts as the end. */
  void timeout(int millis) throws SocketException {
    socket.setSoTimeout(millis);
  }

  public HttpReply read() throws IOException {
    return read(false);
  }

  HttpReply read(boolean head) throws IOException {
    HttpReply reply = readOrEnd(head);
    if (reply == null) {
      throw new EOFException("expected an answer, found the end of the connection");
    }
    return reply;
  }

  /** The next answer, or null when the server has closed. */
  @Nullable HttpReply readOrEnd(boolean head) throws IOException {
    String status = line();
    if (status == null) {
      return null;
    }
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); line != null && !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    int length = head ? 0 : Integer.parseInt(headers.getOrDefault("content-length", "0"));
    String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
    return new HttpReply(Integer.parseInt(status.split(" ", -1)[1]), headers, body);
  }

  /** Whether the server has closed without sending anything before. */
  boolean isEnded() throws IOException {
    try {
      return in.read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  private @Nullable String line() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      for (int b = in.read(); b != '\n'; b = in.read()) {
        if (b < 0) {
          return null;
        }
        bytes.write(b);
      }
    } catch (SocketException | SocketTimeoutException e) {
      return null;
    }
    return bytes.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  /** Disconnects without sending anything. */
  void hangUp() throws IOException {
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
