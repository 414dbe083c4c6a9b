package dev.pinion.bootstrap.profile.recording;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import dev.pinion.broker.document.ProblemLimits;
import dev.pinion.broker.document.ProblemReader;
import dev.pinion.broker.document.ProblemReading;
import dev.pinion.broker.lp.GuardedSolver;
import dev.pinion.broker.lp.OrToolsSolver;
import dev.pinion.broker.lp.VerifiedSolver;
import dev.pinion.broker.model.BrokerProblem;
import dev.pinion.broker.optimise.OptimisationResult;
import dev.pinion.broker.optimise.Optimizer;
import dev.pinion.core.codec.PayloadCodec;
import dev.pinion.core.codec.PayloadSyntaxException;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.Clock;
import dev.pinion.core.model.Payload;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Work that creates a hot spot; each call does some milliseconds of it. */
public interface HotSpotWorkload extends AutoCloseable {
  /** Does a part of the work on the calling thread. */
  void work();

  @Override
  default void close() {}

  /** Reads a megabyte of JSON. */
  static HotSpotWorkload json() {
    PayloadCodec codec = new PayloadCodec(EngineLimits.defaults().json());
    byte[] text =
        ("[" + "{\"name\":\"value\",\"number\":12345.678},".repeat(27_000) + "1]")
            .getBytes(StandardCharsets.UTF_8);
    return () -> {
      try {
        Payload _ = codec.read(text, 0, text.length);
      } catch (PayloadSyntaxException e) {
        throw new IllegalStateException(e);
      }
    };
  }

  /** Performs both sides of a TLS handshake. */
  static HotSpotWorkload tls(Path folder) throws IOException, GeneralSecurityException {
    KeyStore store = Keys.store(folder);
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(store, Keys.PASSWORD.toCharArray());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(store);
    SslContext server = SslContextBuilder.forServer(keys).build();
    SslContext client =
        SslContextBuilder.forClient()
            .trustManager(trust)
            .endpointIdentificationAlgorithm(null)
            .build();
    return () -> shakeHands(client, server);
  }

  private static void shakeHands(SslContext clients, SslContext servers) {
    EmbeddedChannel server = new EmbeddedChannel();
    SslHandler ofServer = servers.newHandler(server.alloc());
    server.pipeline().addLast(ofServer);
    EmbeddedChannel client = new EmbeddedChannel();
    SslHandler ofClient = clients.newHandler(client.alloc());
    client.pipeline().addLast(ofClient);
    for (int flights = 0; flights < 20 && !ofServer.handshakeFuture().isDone(); flights++) {
      pass(client, server);
      pass(server, client);
    }
    if (!ofServer.handshakeFuture().isSuccess() || !ofClient.handshakeFuture().isSuccess()) {
      throw new IllegalStateException("expected a handshake", ofServer.handshakeFuture().cause());
    }
    client.finishAndReleaseAll();
    server.finishAndReleaseAll();
  }

  private static void pass(EmbeddedChannel from, EmbeddedChannel to) {
    for (ByteBuf each = from.readOutbound(); each != null; each = from.readOutbound()) {
      to.writeInbound(each);
    }
  }

  /** Waits for a lock that another thread holds most of the time. */
  static HotSpotWorkload lock() {
    HeldLock lock = new HeldLock();
    Thread hog = new Thread(lock::hog, "hog");
    hog.start();
    return lock;
  }

  /** The lock, and its holder. */
  final class HeldLock implements HotSpotWorkload {
    private static final long HELD_MILLIS = 8;
    private final CountDownLatch over = new CountDownLatch(1);
    private int entries;

    @Override
    public void work() {
      synchronized (this) {
        entries++;
      }
    }

    /** Number of acquisitions. */
    synchronized int entries() {
      return entries;
    }

    private void hog() {
      try {
        while (over.getCount() > 0) {
          synchronized (this) {
            boolean _ = over.await(HELD_MILLIS, TimeUnit.MILLISECONDS);
          }
          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() {
      over.countDown();
    }
  }

  /** Allocates memory. */
  static HotSpotWorkload allocation() {
    return new Hoard();
  }

  /** Keeps a little of its allocations, so that no compiler removes them. */
  final class Hoard implements HotSpotWorkload {
    private List<long[]> kept = List.of();

    @Override
    public void work() {
      List<long[]> all = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        all.add(new long[128]);
      }
      kept = all;
    }

    int size() {
      return kept.size();
    }
  }

  /** Logs a thousand lines. */
  static HotSpotWorkload chattyLog() {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d %-5level [%thread] %logger{36} - %msg%n");
    encoder.start();
    OutputStreamAppender<ILoggingEvent> nowhere = new OutputStreamAppender<>();
    nowhere.setContext(context);
    nowhere.setEncoder(encoder);
    nowhere.setOutputStream(OutputStream.nullOutputStream());
    nowhere.start();
    ch.qos.logback.classic.Logger logger = context.getLogger("planted.chatty");
    logger.setLevel(Level.INFO); // whatever an earlier test made of the root logger
    logger.setAdditive(false);
    logger.addAppender(nowhere);
    Logger chatty = logger;
    return () -> {
      for (int i = 0; i < 1_000; i++) {
        chatty.info("instance {} is at step {} of {}", "planted", i, 1_000);
      }
    };
  }

  /**
   * Computes the plan of a broker again, each time with other response times of the services, like
   * a storm of changes of the registry. The programs are solved on a thread of the group {@link
   * Storm#GROUP}, for which the caller waits.
   */
  static HotSpotWorkload linearPrograms() {
    return new Storm();
  }

  /** Problems that differ in the promises of services, and the optimiser. */
  final class Storm implements HotSpotWorkload {
    private static final int PROBLEMS = 16;
    private static final int TASKS = 6;
    private static final int SERVICES = 8;

    /** Name of the solving thread. */
    static final String GROUP = "lp-solver";

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final GuardedSolver solver =
        new GuardedSolver(new OrToolsSolver(OrToolsSolver.Algorithm.GLOP), LIMIT);
    private final Optimizer optimizer =
        new Optimizer(new VerifiedSolver(List.of(solver), Clock.system(), LIMIT));
    private final List<BrokerProblem> problems = new ArrayList<>();
    private int next;

    private Storm() {
      ProblemReader reader = new ProblemReader(ProblemLimits.defaults());
      for (int seed = 0; seed < PROBLEMS; seed++) {
        switch (reader.read(document(new Random(seed)).getBytes(StandardCharsets.UTF_8))) {
          case ProblemReading.ValidProblem validProblem -> problems.add(validProblem.problem());
          case ProblemReading.InvalidProblem invalidProblem ->
              throw new IllegalStateException(
                  "expected a problem, found " + invalidProblem.problems().getFirst());
        }
      }
      optimizer.warmUp();
    }

    @Override
    public void work() {
      OptimisationResult optimisationResult = optimizer.optimise(problems.get(next++ % PROBLEMS));
      if (!(optimisationResult instanceof OptimisationResult.Optimal)) {
        throw new IllegalStateException("expected a plan, found " + optimisationResult);
      }
    }

    @Override
    public void close() {
      solver.close();
    }

    private static String document(Random random) {
      List<String> children = new ArrayList<>();
      List<String> services = new ArrayList<>();
      List<String> tasks = new ArrayList<>();
      for (int task = 0; task < TASKS; task++) {
        List<String> own = new ArrayList<>();
        for (int i = 0; i < SERVICES; i++) {
          String id = String.format(Locale.ROOT, "s%d-%d", task, i);
          own.add('"' + id + '"');
          services.add(
              String.format(
                  Locale.ROOT,
                  "{'id':'%s','r':%.4f,'d':%.4f,'c':%.4f,'load':40}",
                  id,
                  0.5 + random.nextDouble(),
                  0.95 + 0.04 * random.nextDouble(),
                  1 + random.nextDouble()));
        }
        children.add(String.format(Locale.ROOT, "{'type':'task','task':'t%d'}", task));
        tasks.add(
            String.format(
                Locale.ROOT, "{'id':'t%d','services':[%s]}", task, String.join(",", own)));
      }
      return """
      {'schema':'broker-lp/1','id':'storm','options':{'max_alt':2,'max_par':2},
       'process':{'type':'seq','children':[%s]},'services':[%s],'tasks':[%s],
       'classes':[{'id':'gold','rate':5,'d_min':0.9,'price':30},
                  {'id':'plain','rate':10,'d_min':0.8,'price':20}]}
      """
          .formatted(
              String.join(",", children), String.join(",", services), String.join(",", tasks))
          .replace('\'', '"');
    }
  }

  /** A key and a certificate, made by the JDK's keytool. */
  final class Keys {
    static final String PASSWORD = "planted";

    private Keys() {}

    static KeyStore store(Path folder) throws IOException, GeneralSecurityException {
      Path file = folder.resolve("keys.p12");
      Process keytool =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                  "-genkeypair",
                  "-alias",
                  "planted",
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=planted",
                  "-storetype",
                  "PKCS12",
                  "-storepass",
                  PASSWORD,
                  "-keystore",
                  file.toString())
              .inheritIO()
              .start();
      if (keytool.onExit().join().exitValue() != 0) {
        throw new IOException("expected keytool to make a key");
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        store.load(in, PASSWORD.toCharArray());
      }
      // the certificate is its own issuer
      store.setCertificateEntry("issuer", store.getCertificate("planted"));
      return store;
    }
  }
}
