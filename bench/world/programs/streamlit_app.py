import streamlit as st

st.set_page_config(page_title="Kiln", layout="wide")
st.title("Kiln dashboard")
with st.sidebar:
    glaze = st.selectbox("Glaze", ["celadon", "tenmoku", "cobalt"])
    degrees = st.slider("Degrees", 900, 1300, 1200)
    night = st.checkbox("Night firing")
st.metric("Temperature", f"{degrees} °C", delta=f"{degrees - 1200}")
plot, table, more = st.tabs(["Plot", "Table", "More"])
rows = {"hour": list(range(24)), "degrees": [degrees * h / 24 + h % 3 * 10 for h in range(24)]}
with plot:
    st.line_chart(rows, x="hour", y="degrees")
with table:
    st.dataframe(rows, height=300)
with more:
    with st.expander("Notes"):
        st.text_area("What happened", key="notes")
    if st.button("Fire"):
        st.success(f"Firing {glaze}{' at night' if night else ''}")
    st.code("cone = 10")
