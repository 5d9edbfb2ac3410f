// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.System.Logger.Level;
import java.text.MessageFormat;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * One kind of line in the log, for events that another process can cause as often as it likes. In each minute only the
 * first lines are logged, as a rule one. Further ones are counted, and the next line that is logged shows their number.
 * So no process can fill a log or spend the time of a thread that logs.
 *
 * <p>What is logged is one line, whatever the parameters contain. If the program's log throws an exception or an error,
 * that goes no further, and the next line is tried again.
 *
 * <p>Thread safe.
 */
public final class LimitedLog {
    private static final long WINDOW_NS = TimeUnit.MINUTES.toNanos(1);

    /** The most characters of a parameter that are logged. */
    private static final int MOST_CHARACTERS = 1000;

    private final LazyLogger logger;
    private final Level level;
    private final String format;
    private final int most;
    private final LongSupplier clock;

    /** Guarded by this, as the other fields. Meaningful if a line was logged. */
    private long windowBeganNs;

    /** Lines of the current window. */
    private int logged;

    /** Lines that were not logged since the last one that was. */
    private long suppressed;

    LimitedLog(LazyLogger logger, Level level, String format, int most, LongSupplier clock) {
        this.logger = logger;
        this.level = level;
        this.format = format;
        this.most = most;
        this.clock = clock;
    }

    /**
     * A kind of warning, which is logged once a minute.
     *
     * @param type its name is the logger's name
     * @param format the text, as of {@link MessageFormat}
     * @return the kind
     */
    public static LimitedLog warning(Class<?> type, String format) {
        return of(type.getName(), Level.WARNING, format, 1);
    }

    /**
     * As {@link #warning(Class, String)}, with another logger.
     *
     * @param logger the logger's name
     * @param format the text, as of {@link MessageFormat}
     * @return the kind
     */
    public static LimitedLog warning(String logger, String format) {
        return of(logger, Level.WARNING, format, 1);
    }

    /**
     * A kind of error, which is logged once a minute.
     *
     * @param type its name is the logger's name
     * @param format the text, as of {@link MessageFormat}
     * @return the kind
     */
    public static LimitedLog error(Class<?> type, String format) {
        return of(type.getName(), Level.ERROR, format, 1);
    }

    /**
     * A kind of line.
     *
     * @param logger the logger's name
     * @param level of the line
     * @param format the text, as of {@link MessageFormat}
     * @param most lines in a minute; positive
     * @return the kind
     */
    public static LimitedLog of(String logger, Level level, String format, int most) {
        return new LimitedLog(new LazyLogger(logger), level, format, most, System::nanoTime);
    }

    /**
     * Logs a line, or counts it.
     *
     * @param parameters of the format
     */
    public void log(Object... parameters) {
        log(null, parameters);
    }

    /**
     * Logs a line with an exception, or counts it.
     *
     * @param thrown the exception; null for none
     * @param parameters of the format
     */
    public void log(Throwable thrown, Object... parameters) {
        long before = take();
        if (before < 0) {
            return;
        }
        try {
            write(before, thrown, parameters);
        } catch (RuntimeException | Error e) {
            // A failure of the program's log, as in LazyLogger.
            giveBack(before);
        }
    }

    private void write(long before, Throwable thrown, Object[] parameters) {
        String[] texts = new String[parameters.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = printable(String.valueOf(parameters[i]));
        }
        String more = before == 0 ? "" : " (and " + before + " more of this kind since the line before)";
        // Complete text: implementations of System.Logger differ in what they do with a format that has no parameters.
        String line = new MessageFormat(format, Locale.ROOT).format(texts) + more;
        if (thrown == null) {
            logger.unguarded().log(level, line);
        } else {
            logger.unguarded().log(level, line, thrown);
        }
    }

    /** The number of lines that were not logged before this one; negative if this one must not be logged either. */
    private synchronized long take() {
        long nowNs = clock.getAsLong();
        if (logged == 0 || nowNs - windowBeganNs >= WINDOW_NS) {
            windowBeganNs = nowNs;
            logged = 0;
        }
        if (logged == most) {
            suppressed++;
            return -1;
        }
        logged++;
        long before = suppressed;
        suppressed = 0;
        return before;
    }

    /** The line could not be written: the next one is tried again. */
    private synchronized void giveBack(long before) {
        logged = Math.max(0, logged - 1);
        suppressed += before;
    }

    /** Another process must not begin a line of its own, or make one that is too long to read. */
    private static String printable(String text) {
        int length = Math.min(text.length(), MOST_CHARACTERS);
        StringBuilder printable = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            char each = text.charAt(i);
            boolean breaks = Character.isISOControl(each) || each == '\u2028' || each == '\u2029';
            printable.append(breaks ? '?' : each);
        }
        return length < text.length() ? printable.append("...").toString() : printable.toString();
    }
}
