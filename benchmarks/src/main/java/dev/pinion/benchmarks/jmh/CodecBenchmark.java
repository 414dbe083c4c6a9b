package dev.pinion.benchmarks.jmh;

import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Payload;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Payloads from and to JSON: a response of a stub service, and a document of some hundred values.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@State(Scope.Thread)
public class CodecBenchmark {
  private final PayloadCodec codec = new PayloadCodec(EngineLimits.defaults().json());
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 14);

  /** Objects in the document; 1 is about the size of a stub's response. */
  @Param({"1", "100"})
  public int items = 1;

  private byte[] text = {};
  private Payload payload = Payload.NULL;

  /** Creates the document. */
  @Setup
  public void prepare() throws PayloadSyntaxException {
    StringBuilder json = new StringBuilder("{\"items\":[");
    for (int i = 0; i < items; i++) {
      json.append(i == 0 ? "" : ",")
          .append("{\"service\":\"s")
          .append(i)
          .append("\",\"value\":")
          .append(i * 31L)
          .append(",\"ok\":true}");
    }
    text = json.append("]}").toString().getBytes(StandardCharsets.UTF_8);
    payload = codec.read(text, 0, text.length);
  }

  /** Bytes to tree. */
  @Benchmark
  public Payload read() throws PayloadSyntaxException {
    return codec.read(text, 0, text.length);
  }

  /** Tree to bytes. */
  @Benchmark
  public int write() throws IOException {
    out.reset();
    codec.write(payload, out);
    return out.size();
  }
}
