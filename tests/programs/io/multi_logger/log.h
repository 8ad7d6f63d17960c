#ifndef LOG_H
#define LOG_H
enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_LEVELS };
extern enum log_level log_level;
void log_write(enum log_level, const char *fn, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void log_summary(void);
#define LOG(l, ...) log_write(l, __func__, __VA_ARGS__)
#endif
