package dev.pinion.core.spi;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Who registers services, decides about contracts and tells of plans: the front-end of the broker.
 * Never asked on the way of a request to a process.
 */
@FunctionalInterface
public interface BrokerFront {
  /** There is no broker. */
  BrokerFront NONE =
      question ->
          CompletableFuture.completedFuture(
              Reply.problem(
                  Outcome.UNAVAILABLE, "no broker runs here; start the engine with --broker on"));

  /**
   * Asks it. Any thread; does not block.
   *
   * @return completes with what came of it, also when there is no answer; never exceptionally
   */
  CompletableFuture<Reply> ask(Question question);

  /** What is done with a resource. */
  enum Verb {
    /** Shows it. */
    GET,
    /** Makes or changes it. */
    PUT,
    /** Ends it. */
    DELETE,
    /** Lets a service be bound no more. */
    WITHDRAW
  }

  /**
   * A question.
   *
   * @param verb what is wanted
   * @param collection name of a collection or of a single resource, such as {@code slas}
   * @param id which of the collection; empty for all of it
   * @param ifMatch entity tags of which the resource must have one, as in HTTP; null for any
   * @param ifNoneMatch entity tags of which it must have none; null for any
   * @param body JSON; empty when there is none
   */
  record Question(
      Verb verb,
      String collection,
      String id,
      @Nullable String ifMatch,
      @Nullable String ifNoneMatch,
      String body) {}

  /** What came of a question. */
  enum Outcome {
    /** Done, or shown. */
    OK,
    /** There is one more. */
    CREATED,
    /** There is one less. */
    GONE,
    /** It is as the client knows it. */
    UNCHANGED,
    /** There is none. */
    NOT_FOUND,
    /** It is not as the client expected. */
    PRECONDITION_FAILED,
    /** The document is wrong. */
    INVALID,
    /** It cannot be kept beside what was promised to others, or others need it. */
    NOT_ADMITTED,
    /** A limit is reached. */
    FULL,
    /** There is no room on the disk for it. */
    DISK_FULL,
    /** It cannot be told or done now. */
    UNAVAILABLE
  }

  /**
   * An answer.
   *
   * @param etag entity tag of what is shown, with quotes; empty for none
   * @param detail what is wrong, for people; empty when nothing is
   * @param body JSON: what is shown, or further members of a problem; empty for nothing
   */
  record Reply(Outcome outcome, String etag, String detail, String body) {
    /** A refusal. */
    public static Reply problem(Outcome outcome, String detail) {
      return new Reply(outcome, "", detail, "");
    }
  }
}
